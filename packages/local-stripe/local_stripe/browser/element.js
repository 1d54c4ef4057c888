/* The card fields, in an iframe on this server's origin, so the page never sees card numbers. */
(() => {
  const field = (id) => document.getElementById(id);
  const inputs = ['number', 'expiry', 'cvc'].map(field);
  const error = field('error');
  const tell = (message) => parent.postMessage(message, '*');

  const expiry = () => /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(field('expiry').value);
  const digits = () => field('number').value.replace(/\D/g, '');
  const isComplete = () =>
    digits().length >= 15 && expiry() !== null && /^\d{3,4}$/.test(field('cvc').value.trim());

  const report = () => {
    error.textContent = '';
    const empty = inputs.every((input) => input.value === '');
    tell({ localStripe: 'change', complete: isComplete(), empty });
    resize();
  };
  const resize = () =>
    tell({ localStripe: 'height', height: document.documentElement.scrollHeight });

  const incomplete = () => {
    if (digits().length < 15) return ['incomplete_number', 'Your card number is incomplete.'];
    if (!expiry()) return ['incomplete_expiry', "Your card's expiration date is incomplete."];
    return ['incomplete_cvc', "Your card's security code is incomplete."];
  };

  const confirm = async (order) => {
    if (!isComplete()) {
      const [code, message] = incomplete();
      return { error: { type: 'validation_error', code, message } };
    }
    const [, month, year] = expiry();
    const card = {
      number: digits(),
      exp_month: Number(month),
      exp_year: Number(year),
      cvc: field('cvc').value.trim(),
    };
    const body = { action: 'confirm', key: order.key, client_secret: order.clientSecret, card };
    const answer = await fetch('/js/api', { method: 'POST', body: JSON.stringify(body) });
    return answer.json();
  };

  addEventListener('message', async (event) => {
    const order = event.data;
    if (event.source !== parent || !order || order.localStripe !== 'order') return;
    if (order.action === 'focus') return field('number').focus();
    if (order.action === 'clear') {
      field('card').reset();
      return report();
    }
    const result =
      order.action === 'validate'
        ? isComplete() ? {} : { error: { type: 'validation_error', message: incomplete()[1] } }
        : await confirm(order);
    error.textContent = result.error ? result.error.message : '';
    resize();
    event.source.postMessage({ localStripe: 'answer', id: order.id, result }, event.origin);
  });
  for (const input of inputs) {
    input.addEventListener('input', report);
    input.addEventListener('focus', () => tell({ localStripe: 'focus' }));
    input.addEventListener('blur', () => tell({ localStripe: 'blur' }));
  }
  field('card').addEventListener('submit', (event) => event.preventDefault());
  tell({ localStripe: 'ready' });
  resize();
})();
