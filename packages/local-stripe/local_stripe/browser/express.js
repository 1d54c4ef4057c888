const tell = (message) => parent.postMessage(message, '*');
for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', () => tell({ localStripe: 'pressed', type: button.id }));
}
// On a domain of the platform's own, see no_wallets_on_behalf_of.
tell({ localStripe: 'ready', onlyOwn: document.body.dataset.wallets === 'own' });
tell({ localStripe: 'height', height: document.documentElement.scrollHeight });
