import { centsToDecimal, formatCents } from "../../lib/money";
import { orderSum } from "../../lib/order-sum";

function showSum(form: HTMLFormElement, quantity: HTMLInputElement): void {
  const count = Math.max(1, Math.floor(quantity.valueAsNumber) || 1);
  const { unitCents, taxRate } = form.dataset;
  const sum = orderSum(Number(unitCents), taxRate ?? "0", count);
  for (const [name, cents] of Object.entries(sum)) {
    for (const output of form.querySelectorAll(`[data-${name}]`)) {
      output.textContent = formatCents(cents);
    }
  }
  const sent = form.querySelector<HTMLInputElement>("input[name=totalAmount]");
  if (sent) sent.value = centsToDecimal(sum.total);
}

function setBusy(form: HTMLFormElement, busy: boolean): void {
  form.toggleAttribute("data-sending", busy);
  for (const cancel of form.querySelectorAll("[data-cancel]")) {
    cancel.setAttribute("aria-disabled", String(busy));
  }
  const button = form.querySelector<HTMLButtonElement>("button[data-busy]");
  if (!button) return;
  if (busy) button.dataset.idle = button.textContent ?? "";
  button.textContent = (busy ? button.dataset.busy : button.dataset.idle) ?? button.textContent;
  button.setAttribute("aria-busy", String(busy));
}

/** Send the form again by itself once the server can take it, unless the guest changes something. */
function sendAgainLater(form: HTMLFormElement): void {
  const seconds = Number(form.dataset.retryAfter);
  if (!seconds) return;
  const timer = setTimeout(() => form.requestSubmit(), seconds * 1000);
  form.addEventListener("input", () => clearTimeout(timer), { once: true });
  form.addEventListener("submit", () => clearTimeout(timer), { once: true });
}

/** Live total, quantity steps, and one submission at a time. */
export function startOrderForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("[data-order-form]")) {
    const quantity = form.querySelector<HTMLInputElement>("input[name=quantity]");
    if (quantity) {
      quantity.addEventListener("input", () => showSum(form, quantity));
      for (const button of form.querySelectorAll<HTMLElement>("[data-step]")) {
        button.hidden = false;
        button.addEventListener("click", () => {
          if (button.dataset.step === "-1") quantity.stepDown();
          else quantity.stepUp();
          showSum(form, quantity);
        });
      }
      showSum(form, quantity);
    }
    sendAgainLater(form);
    form.addEventListener("submit", (event) => {
      if (form.hasAttribute("data-sending")) event.preventDefault();
      else setBusy(form, true);
    });
    form.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target : null;
      if (form.hasAttribute("data-sending") && target?.closest("[data-cancel]")) {
        event.preventDefault();
      }
    });
    // Coming back from the checkout with the browser's own button must not find a locked form.
    addEventListener("pageshow", (event) => {
      if (event.persisted && form.hasAttribute("data-sending")) setBusy(form, false);
    });
  }
}
