/* Apple Pay shows in Safari and in every browser on iOS, Google Pay in browsers made of Chromium:
   https://docs.stripe.com/elements/express-checkout-element#supported-browsers */
const agent = navigator.userAgent;
const shown = {
  applePay: /iPhone|iPad/.test(agent) || (/Safari/.test(agent) && !/Chrom|Android/.test(agent)),
  googlePay: /Chrom(e|ium)\//.test(agent),
};
const tell = (message) => parent.postMessage(message, '*');
for (const button of document.querySelectorAll('button')) {
  if (!shown[button.dataset.wallet]) button.remove();
  button.addEventListener('click', () => tell({ localStripe: 'pressed', type: button.id }));
}
// On a domain of the platform's own, see no_wallets_on_behalf_of.
tell({ localStripe: 'ready', onlyOwn: document.body.dataset.wallets === 'own', shown });
// A frame that isn't in view yet may not be laid out: https://developer.mozilla.org/en-US/docs/Web/API/ResizeObserver
new ResizeObserver(() => tell({ localStripe: 'height', height: document.body.offsetHeight })).observe(
  document.body,
);
