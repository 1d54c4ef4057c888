import { beforeEach, expect, test } from "vitest";
import { openFolds } from "./folds";

const press = (link?: Element | null) =>
  link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
const isOpen = (id: string) => document.querySelector<HTMLDetailsElement>(`#${id}`)?.open;

beforeEach(() => {
  document.body.innerHTML = `
    <a href="?open=cancel#cancel">Cancel</a> <a href="#elsewhere">Elsewhere</a>
    <details id="cancel"><summary>Cancel your order</summary>
      <a href="/order/abc" data-close-fold>Keep my order</a></details>
    <details id="leave"><summary>Leave the waitlist</summary>
      <a href="/waitlist/abc" data-close-fold>Keep my place</a></details>
    <details id="all"><summary>Your data</summary><details id="emails"><summary>Emails</summary></details></details>`;
});

test("what the address names is open, and everything around it", () => {
  history.replaceState(null, "", "/order/abc#emails");
  openFolds();
  expect(isOpen("emails")).toBe(true);
  expect(isOpen("all")).toBe(true);
  expect(isOpen("cancel")).toBe(false);
});

test("a link to a folded part opens it on this page and moves the focus there", () => {
  history.replaceState(null, "", "/order/abc");
  openFolds();
  const [cancel, elsewhere] = document.querySelectorAll("a");
  expect(press(cancel)).toBe(false);
  expect(isOpen("cancel")).toBe(true);
  expect(document.activeElement?.textContent).toBe("Cancel your order");
  expect(press(elsewhere)).toBe(true);
});

test("a link out of an open part closes it and moves the focus to the link that opened it", () => {
  history.replaceState(null, "", "/order/abc");
  openFolds();
  const [cancel] = document.querySelectorAll("a");
  press(cancel);
  expect(press(document.querySelector("[data-close-fold]"))).toBe(false);
  expect(isOpen("cancel")).toBe(false);
  expect(document.activeElement).toBe(cancel);
});

test("a link out of a part that only its own title opens moves the focus to that title", () => {
  history.replaceState(null, "", "/waitlist/abc");
  openFolds();
  const fold = document.querySelector<HTMLDetailsElement>("#leave");
  if (fold) fold.open = true;
  expect(press(fold?.querySelector("a"))).toBe(false);
  expect(isOpen("leave")).toBe(false);
  expect(document.activeElement?.textContent).toBe("Leave the waitlist");
});

test("a link out of the part that the address names loads the page without it", () => {
  history.replaceState(null, "", "/order/abc?open=cancel#cancel");
  openFolds();
  expect(press(document.querySelector("[data-close-fold]"))).toBe(true);
});
