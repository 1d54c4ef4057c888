import { wordsFor } from "@/lib/failure-words";
import { forgotPassword } from "../api/forgot-password";
import { forgotPasswordProblem } from "./forgot-password";

const MARKUP = `
  <form novalidate class="contents">
    <div class="dialog-head"><div>
      <h2 id="forgot-title">Forgot your password?</h2>
      <p class="muted mt-1" data-lead>We'll email you a link to choose a new one.</p>
    </div></div>
    <div class="dialog-body stack">
      <div class="notice notice-berry" role="alert" data-problem hidden><div><strong>Error</strong> <span></span></div></div>
      <div class="field" data-ask>
        <label for="forgot-email">Email</label>
        <input class="control" id="forgot-email" type="email" inputmode="email"
          autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255"
          aria-describedby="forgot-error">
        <p class="error" id="forgot-error" role="alert"></p>
      </div>
      <p role="status" data-sent></p>
    </div>
    <div class="dialog-foot">
      <button class="button button-quiet" type="button" data-close>Cancel</button>
      <button class="button button-primary" type="submit">Send reset link</button>
    </div>
  </form>`;

function build(): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "forgot-title");
  dialog.innerHTML = MARKUP;
  document.body.append(dialog);
  return dialog;
}

function find<Kind extends HTMLElement>(dialog: HTMLElement, selector: string): Kind {
  const found = dialog.querySelector<Kind>(selector);
  if (!found) throw new Error(`The dialog lacks ${selector}`);
  return found;
}

/** [data-forgot-password] opens a dialog instead of leaving the sign-in page. */
export function startForgotPassword(): void {
  const link = document.querySelector<HTMLElement>("[data-forgot-password]");
  const typed = document.querySelector<HTMLInputElement>("#email");
  if (!link) return;
  let dialog: HTMLDialogElement | undefined;

  link.addEventListener("click", (event) => {
    event.preventDefault();
    dialog ??= prepare();
    const email = find<HTMLInputElement>(dialog, "#forgot-email");
    email.value = typed?.value ?? email.value;
    dialog.showModal();
    email.focus();
  });
}

function prepare(): HTMLDialogElement {
  const dialog = build();
  const email = find<HTMLInputElement>(dialog, "#forgot-email");
  const error = find(dialog, "#forgot-error");
  const problem = find(dialog, "[data-problem]");
  const send = find<HTMLButtonElement>(dialog, "[type=submit]");
  const close = find<HTMLButtonElement>(dialog, "[data-close]");

  function showError(message: string): void {
    error.textContent = message;
    if (message) email.setAttribute("aria-invalid", "true");
    else email.removeAttribute("aria-invalid");
  }

  function showProblem(message: string): void {
    find(problem, "span").textContent = message;
    problem.hidden = !message;
  }

  close.addEventListener("click", () => dialog.close());
  find<HTMLFormElement>(dialog, "form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.hasAttribute("aria-busy")) return;
    showProblem("");
    const error = forgotPasswordProblem(email.value);
    showError(error ?? "");
    if (error) {
      email.focus();
      return;
    }
    send.setAttribute("aria-busy", "true");
    try {
      const { message } = await forgotPassword(email.value.trim());
      find(dialog, "[data-sent]").textContent = message;
      find(dialog, "[data-ask]").hidden = true;
      find(dialog, "[data-lead]").hidden = true;
      send.hidden = true;
      close.textContent = "Close";
      close.focus();
    } catch (failure) {
      showProblem(wordsFor(failure, "We couldn't send the email. Try again in a minute."));
    } finally {
      send.removeAttribute("aria-busy");
    }
  });
  return dialog;
}
