import { ApiError, NetworkError } from "@/api/client";
import { sendConfirmation } from "@/api/send-confirmation";
import { BotCheckProblem, botCheckToken, type FormGuard, prepareBotCheck } from "@/lib/bot-check";
import { isEmail } from "@/lib/email";

const INVALID_EMAIL = "Please enter a valid email address";
/** Where the address that a link was sent to is stored, so that a reload still shows it. */
const SENT_TO = "sign_up_sent_to";
/** The wait between two emails. */
const RESEND_AFTER_MS = 30_000;

/** Storage may be switched off; then a reload shows the empty form. */
function remember(address: string | null): void {
  try {
    if (address === null) sessionStorage.removeItem(SENT_TO);
    else sessionStorage.setItem(SENT_TO, address);
  } catch {
    // Nothing is remembered.
  }
}

function remembered(): string | null {
  try {
    return sessionStorage.getItem(SENT_TO);
  } catch {
    return null;
  }
}

function part<Kind extends HTMLElement>(root: ParentNode, selector: string): Kind {
  const found = root.querySelector<Kind>(selector);
  if (!found) throw new Error(`The page lacks ${selector}`);
  return found;
}

/** What to show for a failed call: a title and a sentence. */
function problemOf(failure: unknown): { title: string; text: string } {
  if (failure instanceof BotCheckProblem) return { title: failure.title, text: failure.message };
  if (failure instanceof ApiError) {
    if (failure.status === 409) {
      return {
        title: "Email Already Registered",
        text: "You already have an account. Sign in, or reset your password on the sign-in page.",
      };
    }
    const aboutCheck = failure.errors.some(({ field }) => field === "hcaptchaToken");
    return {
      title: aboutCheck ? "Security Check Failed" : "Registration Failed",
      text: failure.sentence ?? "We couldn't send the email. Try again in a minute.",
    };
  }
  const text = failure instanceof NetworkError ? failure.message : "Try again in a minute.";
  return { title: "Registration Failed", text };
}

/** The landing page's one field: sends the confirmation email without leaving the page. */
export function startLandingForm(): void {
  const form = document.querySelector<HTMLFormElement>("[data-landing-form]");
  if (!form) return;
  const email = part<HTMLInputElement>(form, "[name=email]");
  const button = part<HTMLButtonElement>(form, "button[type=submit]");
  const error = part(form, "[data-error]");
  const notice = part(form, "[data-notice]");
  const sent = part(document, "[data-landing-sent]");
  const label = button.textContent;

  const hidden = (name: string) => part<HTMLInputElement>(form, `[name=${name}]`).value;

  function showError(message: string): void {
    error.textContent = message;
    if (message) email.setAttribute("aria-invalid", "true");
    else email.removeAttribute("aria-invalid");
  }

  function showProblem(problem: { title: string; text: string } | null): void {
    part(notice, "[data-notice-title]").textContent = problem ? `${problem.title}.` : "";
    part(notice, "[data-notice-text]").textContent = problem?.text ?? "";
    notice.hidden = problem === null;
  }

  function setBusy(busy: boolean): void {
    button.toggleAttribute("aria-busy", busy);
    if (busy) button.setAttribute("aria-busy", "true");
    button.textContent = busy ? (button.dataset.busy ?? label) : label;
  }

  const guard: FormGuard = {
    siteKey: form.dataset.siteKey ?? "",
    startedAt: hidden("startedAt"),
    minimumSeconds: Number(form.dataset.minimumSeconds ?? 0),
  };
  form.addEventListener("focusin", () => prepareBotCheck(guard), { once: true });
  email.addEventListener("input", () => showError(""));

  const again = part<HTMLButtonElement>(sent, "[data-landing-resend]");
  const status = part(sent, "[data-resend-status]");

  function show(address: string): void {
    part(sent, "[data-sent-to]").textContent = address;
    email.value = address;
    form?.setAttribute("hidden", "");
    sent.hidden = false;
    again.hidden = false;
  }

  const proof = async () => ({
    hcaptchaToken: await botCheckToken(guard),
    website: hidden("website"),
    startedAt: guard.startedAt,
  });

  const before = remembered();
  if (before && isEmail(before)) show(before);

  again.addEventListener("click", async () => {
    again.disabled = true;
    status.textContent = "Sending…";
    try {
      await sendConfirmation({ email: email.value.trim(), ...(await proof()) });
      status.textContent = "Sent again. The newest link works.";
      setTimeout(() => {
        again.disabled = false;
      }, RESEND_AFTER_MS);
    } catch (failure) {
      status.textContent = problemOf(failure).text;
      again.disabled = false;
    }
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.hasAttribute("aria-busy")) return;
    const address = email.value.trim();
    showProblem(null);
    showError(isEmail(address) ? "" : INVALID_EMAIL);
    if (error.textContent) {
      email.focus();
      return;
    }
    setBusy(true);
    try {
      await sendConfirmation({ email: address, ...(await proof()) });
      remember(address);
      show(address);
      sent.focus();
    } catch (failure) {
      const field = failure instanceof ApiError && failure.status !== 409 ? failure.errors : [];
      const error = field.find(({ field: name }) => name === "email");
      if (error) {
        showError(error.message);
        email.focus();
      } else {
        showProblem(problemOf(failure));
      }
    } finally {
      setBusy(false);
    }
  });

  part<HTMLAnchorElement>(sent, "[data-landing-again]").addEventListener("click", (event) => {
    event.preventDefault();
    remember(null);
    sent.hidden = true;
    form.hidden = false;
    email.select();
  });
}
