import { ApiError, NetworkError, request, shownRestaurant } from "../api/client";
import { csrfToken } from "./csrf";

const FIELDS = "input:not([type=hidden]), textarea, select";
/** Forms that may be sent because the session is alive: they leave the page now. */
const cleared = new WeakSet<HTMLFormElement>();
const asking = new WeakSet<HTMLFormElement>();

/**
 * Keeps the text typed into a form when the session has ended or the connection is lost. Without
 * this, the browser would leave for the sign-in page, or for its own error page, and lose the text.
 * The form stays instead and says how to continue, as `ui/signed-out` does in islands.
 */
export function guardForms(): void {
  if (!shownRestaurant() && !document.querySelector('meta[name="signed-in"]')) return;
  // The first of all listeners, so that a form's own listeners run only when it is really sent.
  document.addEventListener("submit", (event) => hold(event), { capture: true });
}

function hold(event: SubmitEvent): void {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  if (form.getAttribute("method")?.toLowerCase() !== "post" || cleared.delete(form)) return;
  if (!form.querySelector(FIELDS)) {
    renewToken(form);
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!asking.has(form)) void sendIfSignedIn(form, event.submitter);
}

async function sendIfSignedIn(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  asking.add(form);
  try {
    const problem = await reasonToStay();
    form.querySelector("[data-not-sent]")?.remove();
    if (problem) {
      say(problem, form, submitter);
      return;
    }
    renewToken(form);
    cleared.add(form);
    form.requestSubmit(submitter);
    // If the browser refuses a field, the form stays here, without an event.
    cleared.delete(form);
  } finally {
    asking.delete(form);
  }
}

/** The message to show when nothing can be sent now; null if the server would accept the form. */
async function reasonToStay(): Promise<(string | Node)[] | null> {
  try {
    await request("/api/tokens");
  } catch (failure) {
    if (failure instanceof NetworkError) {
      return [failure.message, " What you entered is still here."];
    }
    if (failure instanceof ApiError && failure.status === 401) {
      return [
        "You've been signed out. What you entered is still here. ",
        signInLink(),
        ", then try again.",
      ];
    }
    // The server reports anything else in its answer to the form.
  }
  return null;
}

function signInLink(): HTMLAnchorElement {
  const link = document.createElement("a");
  const here = location.pathname + location.search;
  link.href = `/login?${new URLSearchParams({ next: here })}`;
  link.target = "_blank";
  link.rel = "noreferrer";
  link.textContent = "Sign in again in a new tab";
  return link;
}

/** Shows the message beside the button that was pressed, and has it read out at once. */
function say(problem: (string | Node)[], form: HTMLFormElement, submitter: HTMLElement | null) {
  const note = document.createElement("p");
  note.className = "error w-full";
  note.dataset.notSent = "";
  note.setAttribute("role", "alert");
  note.append(...problem);
  if (submitter && form.contains(submitter)) submitter.before(note);
  else form.append(note);
}

/**
 * Signing in makes a new token, which the page that was open before doesn't have. See
 * https://docs.djangoproject.com/en/5.2/topics/auth/default/#django.contrib.auth.login and
 * https://docs.djangoproject.com/en/5.2/ref/csrf/#how-it-works.
 */
function renewToken(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>('input[name="csrfmiddlewaretoken"]');
  const token = csrfToken();
  if (field && token) field.value = token;
}
