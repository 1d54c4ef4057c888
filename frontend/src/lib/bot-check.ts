/** How long the provider's script may take. */
const BOT_CHECK_TIMEOUT = 10_000;

/** The page's clock starts before the server signs the time of the request. */
const ON_ITS_WAY = 500;

/** Why the invisible check could not be passed. */
export class BotCheckProblem extends Error {
  override name = "BotCheckProblem";
  readonly title: "Please Wait" | "Security Error" | "Security Check Failed";

  constructor(title: BotCheckProblem["title"], message: string) {
    super(message);
    this.title = title;
  }
}

/** The values that the server prints beside a guarded form (DECISIONS X42). */
export interface FormGuard {
  /** The provider's key, empty when the check is off. */
  siteKey: string;
  /** When the form was opened, signed. */
  startedAt: string;
  /** A form that is sent sooner than this is refused as automated. */
  minimumSeconds: number;
}

interface HCaptcha {
  render(container: HTMLElement, options: { sitekey: string; size: "invisible" }): string;
  execute(widget: string, options: { async: true }): Promise<{ response: string }>;
  reset(widget: string): void;
}

declare global {
  interface Window {
    hcaptcha?: HCaptcha;
    onHcaptchaLoad?: () => void;
  }
}

// Its `onload` is called once `window.hcaptcha` can be used: https://docs.hcaptcha.com/configuration
const SCRIPT = "https://js.hcaptcha.com/1/api.js?render=explicit&onload=onHcaptchaLoad";

function loadScript(): Promise<HCaptcha> {
  if (window.hcaptcha) return Promise.resolve(window.hcaptcha);
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.async = true;
    // What this script may load is decided by the page's security policy.
    script.nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
    window.onHcaptchaLoad = () =>
      window.hcaptcha ? resolve(window.hcaptcha) : reject(new Error("The bot check is missing"));
    script.onerror = () => reject(new Error("The bot check could not be loaded"));
    document.head.append(script);
  });
}

function inTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new BotCheckProblem(
            "Please Wait",
            "The security check is still loading. Wait a moment and try again.",
          ),
        ),
      BOT_CHECK_TIMEOUT,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

let ready: Promise<{ api: HCaptcha; widget: string }> | undefined;

function load(siteKey: string): Promise<{ api: HCaptcha; widget: string }> {
  ready ??= loadScript().then((api) => {
    const container = document.createElement("div");
    document.body.append(container);
    return { api, widget: api.render(container, { sitekey: siteKey, size: "invisible" }) };
  });
  // The next attempt starts again instead of failing forever.
  ready.catch(() => {
    ready = undefined;
  });
  return ready;
}

/** Loads the provider's script while the person types; nothing to do where no key is configured. */
export function prepareBotCheck({ siteKey }: FormGuard): void {
  if (siteKey) load(siteKey).catch(() => undefined);
}

/**
 * A token that proves a person is there; empty when the check is off. Waits until the form has been
 * open long enough, because someone whose browser fills it in may be faster than that.
 */
export async function botCheckToken({ siteKey, minimumSeconds }: FormGuard): Promise<string> {
  const early = minimumSeconds * 1000 + ON_ITS_WAY - performance.now();
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  if (!siteKey) return "";
  try {
    const { api, widget } = await inTime(load(siteKey));
    const { response } = await inTime(api.execute(widget, { async: true }));
    api.reset(widget);
    return response;
  } catch (failure) {
    if (failure instanceof BotCheckProblem) throw failure;
    throw new BotCheckProblem(
      "Security Error",
      "The security check failed. Reload the page and try again.",
    );
  }
}
