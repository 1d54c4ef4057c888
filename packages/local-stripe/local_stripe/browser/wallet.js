/* A wallet on this server's origin: its cards never reach the page. */
(() => {
  const field = (id) => document.getElementById(id);
  const shown = JSON.parse(decodeURIComponent(location.hash.slice(1)));
  const tell = (message) => parent.postMessage(message, '*');
  const inWords = (amount) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency: shown.currency }).format(
      amount / 100,
    );
  const row = (name, amount) => {
    const term = document.createElement('dt');
    const value = document.createElement('dd');
    term.textContent = name;
    value.textContent = inWords(amount);
    field('lines').append(term, value);
  };

  const title = shown.expressPaymentType === 'apple_pay' ? 'Apple Pay' : 'Google Pay';
  field('title').textContent = shown.business ? `${title}: ${shown.business.name}` : title;
  for (const { name, amount } of shown.lines) row(name, amount);
  // Elements in setup mode have no amount.
  if (shown.amount !== undefined) row('Total', shown.amount);
  field('email-field').hidden = !shown.emailRequired;
  field('phone-field').hidden = !shown.phoneNumberRequired;

  const billingDetails = () => ({
    name: field('name').value,
    ...(shown.emailRequired && { email: field('email').value }),
    ...(shown.phoneNumberRequired && { phone: field('phone').value }),
    address: { line1: '', line2: null, city: '', state: '', postal_code: '10013', country: 'US' },
  });

  const confirm = async ({ request }) => {
    const { name, email } = billingDetails();
    const card = { number: field('card').value, exp_month: 12, exp_year: 2040, cvc: '123' };
    const billing = { name, ...(email && { email }) };
    const body = { ...request, card, billing };
    const answer = await fetch('/js/api', { method: 'POST', body: JSON.stringify(body) });
    return answer.json();
  };

  addEventListener('message', async (event) => {
    const order = event.data;
    if (event.source !== parent || !order || order.localStripe !== 'order') return;
    const result = await confirm(order);
    event.source.postMessage({ localStripe: 'answer', id: order.id, result }, event.origin);
  });
  tell({ localStripe: 'height', height: document.body.offsetHeight });
  field('who').addEventListener('submit', (event) => event.preventDefault());
  field('cancel').addEventListener('click', () => tell({ localStripe: 'cancel' }));
  field('pay').addEventListener('click', () => {
    field('pay').disabled = field('cancel').disabled = true;
    field('pay').textContent = 'Processing…';
    tell({ localStripe: 'pay', billingDetails: billingDetails() });
  });
})();
