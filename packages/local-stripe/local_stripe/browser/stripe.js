/* The part of window.Stripe that a page with a Payment or an Express Checkout Element uses.
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

  /** A frame leaves room around its fields for the ring of focus, and they align with the page's. */
  const AS_WIDE_AS_FIELDS =
    'border:0;width:calc(100% + 8px);max-width:none;margin:-4px;color-scheme:light dark';

  /** What the Payment Element and the Express Checkout Element have in common. */
  class Element {
    constructor(type, options, elements) {
      this._type = type;
      this._options = options || {};
      this._elements = elements;
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
      if (event.data.localStripe === 'height') this._frame.style.height = `${event.data.height}px`;
      this._said(event.data);
    }

    mount(target) {
      const place = typeof target === 'string' ? document.querySelector(target) : target;
      this._frame = this._made();
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
  }

  class PaymentElement extends Element {
    _made() {
      const style = `${AS_WIDE_AS_FIELDS};height:200px`;
      const { locale } = this._elements._options;
      const path = `/js/element?locale=${encodeURIComponent(locale)}`;
      return frame(path, 'Secure payment input frame', style);
    }

    _said(said) {
      if (said.localStripe === 'focus' || said.localStripe === 'blur') this._emit(said.localStripe);
      if (said.localStripe === 'change') {
        const { complete, empty } = said;
        this._emit('change', { complete, empty, collapsed: false, value: { type: 'card' } });
      }
      if (said.localStripe === 'ready') this._emit('ready', {});
    }

    collapse() {}
  }

  /** How long a handler of `click` has to say what the wallet shows, in milliseconds. */
  const ANSWER_WITHIN = 1000;

  /** The wallets' buttons, and the wallet itself as a dialog: it has cards, a name and an email. */
  class ExpressCheckoutElement extends Element {
    _made() {
      const style = `${AS_WIDE_AS_FIELDS};height:52px`;
      return frame('/js/express', 'Secure express checkout frame', style);
    }

    _said(said) {
      if (said.localStripe === 'ready') {
        const { onBehalfOf, paymentMethodTypes: types } = this._elements._options;
        const { applePay, googlePay } = said.shown;
        const may = (!types || types.includes('card')) && !(said.onlyOwn && onBehalfOf);
        const some = may && (applePay || googlePay);
        if (!some) this._frame.style.display = 'none';
        const wallets = { applePay, googlePay };
        const others = { amazonPay: false, klarna: false, link: false, paypal: false };
        this._emit('ready', { availablePaymentMethods: some ? { ...wallets, ...others } : undefined });
      }
      if (said.localStripe === 'pressed' && !this._wallet) this._pressed(said.type);
    }

    /** https://docs.stripe.com/js/elements_object/express_checkout_element_click_event */
    _pressed(expressPaymentType) {
      let isOpen = true;
      const once = (done) => (details) => {
        if (isOpen) done(details || {});
        isOpen = false;
      };
      const resolve = once((details) => this._open(expressPaymentType, details));
      if (!(this._listeners.click || []).length) return resolve();
      setTimeout(once(() => console.error('The click event was not resolved in time.')), ANSWER_WITHIN);
      this._emit('click', { expressPaymentType, resolve, reject: once(() => {}) });
    }

    _open(expressPaymentType, details) {
      const { amount, currency } = this._elements._options;
      const { emailRequired, phoneNumberRequired, business } = this._options;
      const shown = { expressPaymentType, amount, currency, emailRequired, phoneNumberRequired };
      const lines = details.lineItems || this._options.lineItems || [];
      if (lines.reduce((sum, line) => sum + line.amount, 0) > (amount || 0)) {
        throw new Error('The amount is less than the total of the line items.');
      }
      const dialog = document.createElement('dialog');
      dialog.setAttribute('aria-label', 'Wallet');
      dialog.style.cssText = 'border:0;padding:0;margin:auto;border-radius:12px;width:min(380px,94vw)';
      const said = encodeURIComponent(JSON.stringify({ ...shown, business, lines }));
      const wallet = frame(`/js/wallet#${said}`, 'Wallet', 'border:0;display:block;width:100%;height:400px');
      dialog.append(wallet);
      document.body.append(dialog);
      this._wallet = { _frame: wallet, close: () => this._close(dialog, hear) };
      const hear = (event) => {
        if (event.origin !== ORIGIN || event.source !== wallet.contentWindow) return;
        if (event.data.localStripe === 'height') wallet.style.height = `${event.data.height}px`;
        if (event.data.localStripe === 'cancel') cancel();
        if (event.data.localStripe === 'pay') {
          this._emit('confirm', {
            expressPaymentType,
            billingDetails: event.data.billingDetails,
            paymentFailed: () => this._wallet && this._wallet.close(),
          });
        }
      };
      const cancel = () => {
        this._wallet.close();
        this._emit('cancel', {});
      };
      addEventListener('message', hear);
      dialog.addEventListener('cancel', cancel);
      dialog.showModal();
    }

    _close(dialog, hear) {
      removeEventListener('message', hear);
      dialog.remove();
      this._wallet = null;
    }
  }

  class Elements {
    constructor(options) {
      this._options = { ...options };
      this._made = {};
    }

    create(type, options) {
      const Kind = type === 'expressCheckout' ? ExpressCheckoutElement : PaymentElement;
      this._made[type] = new Kind(type, options, this);
      return this._made[type];
    }

    getElement(type) {
      return this._made[typeof type === 'string' ? type : 'payment'] || null;
    }

    async update(options) {
      Object.assign(this._options, options);
    }

    async fetchUpdates() {
      return {};
    }

    /** Checks what was typed. Before an intent exists, this must come before confirming. */
    async submit() {
      this._submitted = true;
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
      dialog.style.cssText = 'border:0;padding:0;margin:auto;border-radius:12px;width:min(360px,92vw)';
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

  /** The locale of Elements unless they have one of their own, and of what methods say:
   * https://docs.stripe.com/js/initializing#init_stripe_js-options-locale */
  const localeOf = ({ locale } = {}) =>
    !locale || locale === 'auto' ? navigator.language : locale;

  function Stripe(key, options) {
    if (!/^pk_test_/.test(key)) {
      throw new Error('Local Stripe accepts only publishable keys that begin with pk_test_.');
    }
    const ask = (action, clientSecret, more) =>
      call({ action, key, client_secret: clientSecret, locale: localeOf(options), ...more });
    const wrap = (clientSecret, answer) =>
      answer.error ? { error: answer.error } : { [kindOf(clientSecret)]: answer.intent };

    const finishAction = async (clientSecret, answer) => {
      if (answer.error || answer.intent.status !== 'requires_action') return answer;
      return ask('authenticate', clientSecret, { passed: await challenge() });
    };

    /** What Elements created without an intent say of it; the server compares. */
    const contextOf = (elements) => {
      const { mode, amount, currency, captureMethod, setupFutureUsage } = elements._options;
      if (!mode) return undefined;
      if (!elements._submitted) throw new Error('elements.submit() must be called before confirming.');
      return {
        mode,
        amount,
        currency,
        capture_method: captureMethod,
        setup_future_usage: setupFutureUsage,
      };
    };

    const confirm = async ({ elements, clientSecret, confirmParams, redirect }) => {
      const secret = clientSecret || elements._options.clientSecret;
      const express = elements && elements.getElement('expressCheckout');
      const wallet = express && express._wallet;
      const element = wallet || (elements && elements.getElement('payment'));
      const request = {
        action: 'confirm',
        key,
        client_secret: secret,
        locale: localeOf(options),
        client_context: elements && contextOf(elements),
      };
      // Without an element, the intent's current payment method is used.
      const first = element ? await order(element, { action: 'confirm', request }) : await call(request);
      if (wallet) wallet.close();
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
      error: { type: 'api_error', message: 'Local Stripe has no such element.' },
    });

    return {
      _apiKey: key,
      _registerWrapper() {},
      registerAppInfo() {},
      elements: (own) => new Elements({ ...own, locale: localeOf(own && own.locale ? own : options) }),
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
