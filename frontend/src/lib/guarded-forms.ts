import { ApiError, NetworkError, request, shownRestaurant } from "../api/client";
import { csrfToken } from "./csrf";

const FIELDS = "input:not([type=hidden]), textarea, select";
/** Forms that somebody signed in may send: they leave the page now. */
const cleared = new WeakSet<HTMLFormElement>();
const asking = new WeakSet<HTMLFormElement>();

/**
 * Keeps what was typed into a form of a page for signed-in people when the session has ended, or the
 * connection: such a form would leave for the sign-in page, or the browser's own, and be lost. It
 * stays instead and says how to go on, as `ui/signed-out` does in islands.
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
    // A field that its browser refuses keeps the form here, without an event.
    cleared.delete(form);
  } finally {
    asking.delete(form);
  }
}

/** What the person reads when nothing can be sent now; null when the server would answer the form. */
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

/** Beside the button that was pressed, where the person looks; read out at once. */
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
