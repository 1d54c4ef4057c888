import { csrfToken } from "../lib/csrf";
import { freshKey } from "../lib/fresh-key";
import { gettext, pageLanguage } from "../lib/i18n";

interface FieldError {
  field: string;
  /** What is wrong, for programs. */
  code?: string;
  message: string;
}

/**
 * Any answer that is not OK. `message` is the status code, ': ' and the body's text (or the status
 * text when the body is empty); a 401 is always '401: Unauthorized'. For people use `sentence`.
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  /** The parsed body, or its text when it is not JSON. */
  readonly body: unknown;
  readonly errors: FieldError[];

  constructor(status: number, statusText: string, text: string) {
    super(status === 401 ? "401: Unauthorized" : `${status}: ${text || statusText}`);
    this.status = status;
    this.body = parseJson(text);
    const listed = isRecord(this.body) ? this.body.errors : undefined;
    this.errors = Array.isArray(listed) ? listed.filter(isFieldError) : [];
  }

  /** Why it was refused, for programs; undefined when the answer isn't the API's. */
  get code(): string | undefined {
    const code = isRecord(this.body) ? this.body.code : undefined;
    return typeof code === "string" ? code : undefined;
  }

  /** The server's own sentence: the first field error, else its message; undefined without one. */
  get sentence(): string | undefined {
    const first = this.errors[0]?.message;
    if (first) return first;
    const message = isRecord(this.body) ? this.body.message : undefined;
    return typeof message === "string" && message ? message : undefined;
  }
}

/** Whether a call was refused because nobody is signed in any more. */
export const isSignedOut = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.status === 401;

/**
 * No answer came: there was no connection, or it broke. The request may or may not have arrived.
 */
export class NetworkError extends Error {
  override name = "NetworkError";

  constructor() {
    super(gettext("We couldn't reach the server. Check your connection and try again."));
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && typeof value.message === "string";
}

/** The value of `text`, or the text itself when it is not JSON; undefined when empty. */
function parseJson(text: string): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The id of the restaurant this page is about; empty where it is about none. */
export function shownRestaurant(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="restaurant"]')?.content ?? "";
}

/**
 * Names the restaurant that this page shows, because another tab may have switched to another one.
 */
function restaurantHeader(): Record<string, string> {
  const shown = shownRestaurant();
  return shown ? { "X-Restaurant": shown } : {};
}

interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON; a form is sent as it is. */
  body?: unknown;
  signal?: AbortSignal;
  /** Names this request: sent again with the same key, it takes effect once. */
  key?: string;
  /** Takes effect once: a second press before the first is answered sends the same request. */
  once?: boolean;
  /** Called with the headers of an answer that is OK. */
  onHeaders?: (headers: Headers) => void;
  /** A 401 is an error unless this says 'empty': then the result is null. */
  unauthorized?: "error" | "empty";
}

/** How often a request that is still running is sent again, and the first wait. */
const MOST_WAITS = 5;
const FIRST_WAIT_MS = 500;
/** The keys of requests with `once` that have no answer yet. */
const unanswered = new Map<string, string>();

/** One call to our API. An empty answer gives undefined (DECISIONS X31). */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  if (!options.once) return send(path, options);
  const what = `${options.method} ${path} ${JSON.stringify(options.body)}`;
  const key = unanswered.get(what) ?? freshKey();
  unanswered.set(what, key);
  try {
    const answer = await sendUntilDone<T>(path, { ...options, key });
    unanswered.delete(what);
    return answer;
  } catch (failure) {
    // After a failure of the server or the network, nobody knows whether it took effect: keep the
    // key.
    const isRefused = failure instanceof ApiError && failure.status < 500;
    if (isRefused && failure.code !== IN_PROGRESS) unanswered.delete(what);
    throw failure;
  }
}

const IN_PROGRESS = "request_in_progress";

/** Waits for an earlier request with the same key, and returns its answer. */
async function sendUntilDone<T>(path: string, options: RequestOptions): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await send<T>(path, options);
    } catch (failure) {
      const isRunning = failure instanceof ApiError && failure.code === IN_PROGRESS;
      if (!isRunning || waits === MOST_WAITS) throw failure;
      await new Promise((done) => setTimeout(done, FIRST_WAIT_MS * 2 ** waits));
    }
  }
}

async function send<T>(path: string, options: RequestOptions): Promise<T> {
  const { method = "GET", body, signal, key, unauthorized = "error" } = options;
  const headers: Record<string, string> = {
    Accept: "application/json",
    "Accept-Language": pageLanguage(),
    ...restaurantHeader(),
  };
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  if (key) headers["Idempotency-Key"] = key;
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";

  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: isForm || body === undefined ? body : JSON.stringify(body),
      credentials: "include",
      signal,
    });
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new NetworkError();
  }
  const text = await response.text();
  if (response.status === 401 && unauthorized === "empty") return null as T;
  if (!response.ok) {
    const failure = new ApiError(response.status, response.statusText, text);
    leadToProof(failure);
    throw failure;
  }
  options.onHeaders?.(response.headers);
  return parseJson(text) as T;
}

/** If the server asks for a step-up, lead to its page, which leads back. */
function leadToProof(failure: ApiError): void {
  const body = failure.status === 403 && isRecord(failure.body) ? failure.body : {};
  const { reauthenticateUrl, twoFactorUrl } = body;
  if (typeof twoFactorUrl === "string") location.assign(twoFactorUrl);
  if (typeof reauthenticateUrl !== "string") return;
  const back = location.pathname + location.search + location.hash;
  location.assign(`${reauthenticateUrl}?${new URLSearchParams({ next: back })}`);
}

/** POSTs a file with progress, which fetch cannot report; same errors as `request`. */
export function upload(
  path: string,
  field: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open("POST", path);
    call.withCredentials = true;
    call.setRequestHeader("Accept", "application/json");
    call.setRequestHeader("Accept-Language", pageLanguage());
    call.setRequestHeader("X-CSRFToken", csrfToken());
    for (const [name, value] of Object.entries(restaurantHeader())) {
      call.setRequestHeader(name, value);
    }
    call.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    call.onerror = () => reject(new NetworkError());
    call.onload = () => {
      if (call.status >= 200 && call.status < 300) resolve(parseJson(call.responseText));
      else reject(new ApiError(call.status, call.statusText, call.responseText));
    };
    const form = new FormData();
    form.append(field, file);
    call.send(form);
  });
}
