import { beforeEach, expect, test } from "vitest";
import { openFolds } from "./folds";

const isOpen = (id: string) => document.querySelector<HTMLDetailsElement>(`#${id}`)?.open;

beforeEach(() => {
  document.body.innerHTML = `
    <a href="?open=cancel#cancel">Cancel</a> <a href="#elsewhere">Elsewhere</a>
    <details id="cancel"><summary>Cancel your order</summary></details>
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
  const press = (link?: HTMLAnchorElement) =>
    link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  expect(press(cancel)).toBe(false);
  expect(isOpen("cancel")).toBe(true);
  expect(document.activeElement?.textContent).toBe("Cancel your order");
  expect(press(elsewhere)).toBe(true);
});
