/* The card fields, in an iframe on this server's origin, so the page never sees card numbers. */
(() => {
  const field = (id) => document.getElementById(id);
  const inputs = ['number', 'expiry', 'cvc'].map(field);
  const error = field('error');
  const tell = (message) => parent.postMessage(message, '*');

  const SPANISH = {
    'Card number': 'Número de tarjeta',
    Expiry: 'Vencimiento',
    CVC: 'Código de seguridad',
    'Your card number is incomplete.': 'El número de tu tarjeta está incompleto.',
    "Your card's expiration date is incomplete.": 'La fecha de vencimiento está incompleta.',
    "Your card's security code is incomplete.": 'El código de seguridad está incompleto.',
  };
  const locale = new URLSearchParams(location.search).get('locale') || '';
  const isSpanish = locale.split('-')[0] === 'es';
  const say = (text) => (isSpanish && SPANISH[text]) || text;
  if (isSpanish) {
    document.documentElement.lang = 'es';
    field('expiry').placeholder = 'MM / AA';
  }
  for (const label of document.querySelectorAll('label')) label.textContent = say(label.textContent);

  const expiry = () => /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(field('expiry').value);
  const digits = () => field('number').value.replace(/\D/g, '');
  const isComplete = () =>
    digits().length >= 15 && expiry() !== null && /^\d{3,4}$/.test(field('cvc').value.trim());

  // Sent when what it says has changed: https://docs.stripe.com/js/element/events
  let reported = '';
  const report = () => {
    error.textContent = '';
    const empty = inputs.every((input) => input.value === '');
    const said = { localStripe: 'change', complete: isComplete(), empty };
    if (JSON.stringify(said) !== reported) tell(said);
    reported = JSON.stringify(said);
  };

  /** The first field that is, with the error's code and message; none once all are complete. */
  const incomplete = () => {
    if (digits().length < 15) return ['number', 'Your card number is incomplete.'];
    if (!expiry()) return ['expiry', "Your card's expiration date is incomplete."];
    return isComplete() ? [] : ['cvc', "Your card's security code is incomplete."];
  };
  const invalid = () => {
    const [name, message] = incomplete();
    return { type: 'validation_error', code: `incomplete_${name}`, message: say(message) };
  };

  const confirm = async (order) => {
    if (!isComplete()) return { error: invalid() };
    const [, month, year] = expiry();
    const card = {
      number: digits(),
      exp_month: Number(month),
      exp_year: Number(year),
      cvc: field('cvc').value.trim(),
    };
    const body = { ...order.request, card };
    const answer = await fetch('/js/api', { method: 'POST', body: JSON.stringify(body) });
    return answer.json();
  };

  addEventListener('message', async (event) => {
    const order = event.data;
    if (event.source !== parent || !order || order.localStripe !== 'order') return;
    if (order.action === 'focus') return field(incomplete()[0] || 'number').focus();
    if (order.action === 'clear') {
      field('card').reset();
      return report();
    }
    const result =
      order.action === 'validate'
        ? isComplete() ? {} : { error: invalid() }
        : await confirm(order);
    error.textContent = result.error ? result.error.message : '';
    event.source.postMessage({ localStripe: 'answer', id: order.id, result }, event.origin);
  });
  for (const input of inputs) {
    input.addEventListener('input', report);
    input.addEventListener('focus', () => tell({ localStripe: 'focus' }));
    input.addEventListener('blur', () => tell({ localStripe: 'blur' }));
  }
  field('card').addEventListener('submit', (event) => event.preventDefault());
  tell({ localStripe: 'ready' });
  // A frame that isn't in view yet may not be laid out: https://developer.mozilla.org/en-US/docs/Web/API/ResizeObserver
  new ResizeObserver(() => tell({ localStripe: 'height', height: document.body.offsetHeight })).observe(
    document.body,
  );
})();
