/* The part of window.Stripe that a page with a Payment Element uses.
 *
 * Load it before the stripe-js package looks for window.Stripe; the page's own code then runs
 * unchanged. Card numbers stay in an iframe on this server's origin. */
(() => {
  const ORIGIN = new URL(document.currentScript.src).origin;

  const call = async (body) => {
    // Plain text, so the browser sends no preflight request.
    const answer = await fetch(`${ORIGIN}/js/api`, { method: 'POST', body: JSON.stringify(body) });
    return answer.json();
  };

  const frame = (path, title, style) => {
    const made = document.createElement('iframe');
    made.src = ORIGIN + path;
    made.title = title;
    made.style.cssText = style;
    return made;
  };

  const kindOf = (clientSecret) =>
    clientSecret.startsWith('seti_') ? 'setupIntent' : 'paymentIntent';

  let orders = 0;

  /** Sends a command to an element's iframe and waits for the answer. */
  const order = (element, message) =>
    new Promise((resolve) => {
      const id = ++orders;
      const listen = (event) => {
        const data = event.data;
        if (event.source !== element._frame.contentWindow) return;
        if (!data || data.localStripe !== 'answer' || data.id !== id) return;
        removeEventListener('message', listen);
        resolve(data.result);
      };
      addEventListener('message', listen);
      element._frame.contentWindow.postMessage({ localStripe: 'order', id, ...message }, ORIGIN);
    });

  class PaymentElement {
    constructor(type, options) {
      this._type = type;
      this._options = options || {};
      this._listeners = {};
      this._hear = (event) => this._heard(event);
    }

    on(name, listener) {
      (this._listeners[name] ||= []).push(listener);
      return this;
    }

    once(name, listener) {
      const wrapped = (data) => {
        this.off(name, wrapped);
        listener(data);
      };
      return this.on(name, wrapped);
    }

    off(name, listener) {
      const known = this._listeners[name] || [];
      this._listeners[name] = listener ? known.filter((one) => one !== listener) : [];
      return this;
    }

    _emit(name, data) {
      for (const listener of this._listeners[name] || []) {
        listener({ elementType: this._type, ...data });
      }
    }

    _heard(event) {
      if (event.origin !== ORIGIN || event.source !== this._frame.contentWindow) return;
      const said = event.data;
      if (said.localStripe === 'height') this._frame.style.height = `${said.height}px`;
      if (said.localStripe === 'focus' || said.localStripe === 'blur') this._emit(said.localStripe);
      if (said.localStripe === 'change') {
        const { complete, empty } = said;
        this._emit('change', { complete, empty, collapsed: false, value: { type: 'card' } });
      }
      if (said.localStripe === 'ready') this._emit('ready', {});
    }

    mount(target) {
      const place = typeof target === 'string' ? document.querySelector(target) : target;
      this._frame = frame(
        '/js/element',
        'Secure payment input frame',
        'border:0;width:100%;height:200px;color-scheme:light dark',
      );
      addEventListener('message', this._hear);
      place.replaceChildren(this._frame);
      return this;
    }

    unmount() {
      removeEventListener('message', this._hear);
      if (this._frame) this._frame.remove();
    }

    destroy() {
      this.unmount();
    }

    update(options) {
      Object.assign(this._options, options);
    }

    _tell(action) {
      this._frame.contentWindow.postMessage({ localStripe: 'order', action }, ORIGIN);
    }

    focus() {
      this._tell('focus');
    }

    clear() {
      this._tell('clear');
    }

    blur() {}

    collapse() {}
  }

  class Elements {
    constructor(options) {
      this._options = { ...options };
      this._made = {};
    }

    create(type, options) {
      this._made[type] = new PaymentElement(type, options);
      return this._made[type];
    }

    getElement(type) {
      return this._made[typeof type === 'string' ? type : 'payment'] || null;
    }

    update(options) {
      Object.assign(this._options, options);
    }

    async fetchUpdates() {
      return {};
    }

    async submit() {
      const element = this.getElement('payment');
      const found = element ? await order(element, { action: 'validate' }) : {};
      return found.error ? found : { selectedPaymentMethod: 'card' };
    }

    on() {
      return this;
    }

    off() {
      return this;
    }
  }

  /** Shows the 3-D Secure dialog; resolves to whether it was passed. */
  const challenge = () =>
    new Promise((resolve) => {
      const before = document.activeElement;
      const dialog = document.createElement('dialog');
      dialog.setAttribute('aria-label', '3-D Secure');
      dialog.style.cssText = 'border:0;padding:0;border-radius:12px;width:min(360px,92vw)';
      const shown = frame('/js/challenge', '3-D Secure', 'border:0;width:100%;height:320px');
      dialog.append(shown);
      document.body.append(dialog);
      const finish = (passed) => {
        removeEventListener('message', hear);
        dialog.remove();
        if (before) before.focus();
        resolve(passed);
      };
      const hear = (event) => {
        const said = event.data;
        if (event.origin !== ORIGIN || event.source !== shown.contentWindow) return;
        if (said && said.localStripe === 'challenge') finish(said.passed);
      };
      addEventListener('message', hear);
      dialog.addEventListener('cancel', () => finish(false));
      dialog.showModal();
    });

  function Stripe(key) {
    if (!/^pk_test_/.test(key)) {
      throw new Error('Local Stripe accepts only publishable keys that begin with pk_test_.');
    }
    const ask = (action, clientSecret, more) =>
      call({ action, key, client_secret: clientSecret, ...more });
    const wrap = (clientSecret, answer) =>
      answer.error ? { error: answer.error } : { [kindOf(clientSecret)]: answer.intent };

    const finishAction = async (clientSecret, answer) => {
      if (answer.error || answer.intent.status !== 'requires_action') return answer;
      return ask('authenticate', clientSecret, { passed: await challenge() });
    };

    const confirm = async ({ elements, clientSecret, confirmParams, redirect }) => {
      const secret = clientSecret || elements._options.clientSecret;
      const element = elements && elements.getElement('payment');
      const asked = { action: 'confirm', key, clientSecret: secret };
      // Without an element, the intent's current payment method is used.
      const first = element ? await order(element, asked) : await ask('confirm', secret);
      const answer = await finishAction(secret, first);
      if (answer.error || redirect === 'if_required') return wrap(secret, answer);
      const onward = new URL(confirmParams.return_url);
      onward.searchParams.set(answer.intent.object, answer.intent.id);
      onward.searchParams.set(`${answer.intent.object}_client_secret`, secret);
      onward.searchParams.set('redirect_status', 'succeeded');
      location.assign(onward);
      return new Promise(() => {});
    };

    const retrieve = async (clientSecret) =>
      wrap(clientSecret, await ask('retrieve', clientSecret));

    const unsupported = async () => ({
      error: { type: 'api_error', message: 'Local Stripe supports only the Payment Element.' },
    });

    return {
      _apiKey: key,
      _registerWrapper() {},
      registerAppInfo() {},
      elements: (options) => new Elements(options),
      confirmPayment: confirm,
      confirmSetup: confirm,
      handleNextAction: async ({ clientSecret }) =>
        wrap(clientSecret, await finishAction(clientSecret, await ask('retrieve', clientSecret))),
      retrievePaymentIntent: retrieve,
      retrieveSetupIntent: retrieve,
      createToken: unsupported,
      createPaymentMethod: unsupported,
      confirmCardPayment: unsupported,
    };
  }
  Stripe.version = 'dahlia';
  window.Stripe = Stripe;
})();
