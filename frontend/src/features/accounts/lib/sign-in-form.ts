import { readDraft, saveDraft } from "@/lib/form-draft";
import { rememberDestination, takeDestination } from "@/lib/stored-session";

const DRAFT = "restaurant_login_form";
const DASHBOARD = "/restaurant";

/**
 * What a browser remembers for the sign-in page: the email that was typed last, and where the
 * person was going, even if they had to reset a password on the way.
 */
export function startSignInForm(): void {
  const form = document.querySelector<HTMLFormElement>("form[action$='/login']");
  const email = form?.querySelector<HTMLInputElement>("[name=email]");
  const next = form?.querySelector<HTMLInputElement>("[name=next]");
  if (!form || !email || !next) return;

  const destination = new URLSearchParams(location.search).get("next");
  if (destination) rememberDestination(destination);
  else if (next.value === DASHBOARD) next.value = takeDestination() ?? DASHBOARD;
  // Kept until the person arrives: a wrong password must not lose it.
  if (next.value !== DASHBOARD) rememberDestination(next.value);

  email.value ||= readDraft(DRAFT).email ?? "";
  if (email.value && document.activeElement === email) {
    form.querySelector<HTMLInputElement>("[name=password]")?.focus();
  }
  form.addEventListener("submit", () => saveDraft(DRAFT, { email: email.value.trim() }));
}
