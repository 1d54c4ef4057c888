import { expect, test } from "vitest";
import { mergeElement } from "./merge-dom";

function element(html: string): HTMLElement {
  const made = document.createElement("div");
  made.innerHTML = html;
  return made.firstElementChild as HTMLElement;
}

function merged(before: string, after: string): HTMLElement {
  document.body.replaceChildren(element(before));
  const current = document.body.firstElementChild as HTMLElement;
  mergeElement(current, element(after));
  return current;
}

test("an element reads as the fresh one does", () => {
  const fresh = `<section class="new"><h2>1 friend is in</h2>\n<ul><li>Bea</li></ul>
    <p class="muted">Nothing is reserved.</p> <details><summary>Link</summary></details></section>`;
  const current = merged(
    `<section class="old" data-x><h2>Your friends</h2> <p class="muted">1 portion is reserved.</p>
      <form><button>Release</button></form>\n<details><summary>Link</summary></details></section>`,
    fresh,
  );
  expect(current.outerHTML).toBe(element(fresh).outerHTML);
});

test("what is the same stays the same element, focused and open", () => {
  document.body.replaceChildren(
    element("<div><p>1</p><button>Copy</button><details open><p>x</p></details></div>"),
  );
  const current = document.body.firstElementChild as HTMLElement;
  const button = current.querySelector("button");
  button?.focus();
  mergeElement(
    current,
    element(
      '<div><h2>In</h2><p>2</p><button class="quiet">Copy</button><details><p>x</p></details></div>',
    ),
  );
  expect(document.activeElement).toBe(button);
  expect(button?.className).toBe("quiet");
  expect(current.querySelector("details")?.open).toBe(true);
  expect(current.textContent).toBe("In2Copyx");
});

test("what the page's script changed and what is to stay isn't touched", () => {
  const current = merged(
    '<div><p id="sent" data-stays>On its way</p><p>1</p><div id="push" data-push>On</div></div>',
    '<div><p>2</p><div id="push" data-push hidden>Off</div></div>',
  );
  expect(current.innerHTML).toBe(
    '<p id="sent" data-stays="">On its way</p><p>2</p><div id="push" data-push="">On</div>',
  );
});

test("only text that has changed is written", async () => {
  const written: MutationRecord[] = [];
  document.body.replaceChildren(element("<div><p>Same</p><p>1</p></div>"));
  const current = document.body.firstElementChild as HTMLElement;
  const watch = new MutationObserver((records) => written.push(...records));
  watch.observe(current, {
    subtree: true,
    characterData: true,
    childList: true,
    attributes: true,
  });
  mergeElement(current, element("<div><p>Same</p><p>2</p></div>"));
  await Promise.resolve();
  expect(written.map(({ type, target }) => [type, target.nodeValue])).toEqual([
    ["characterData", "2"],
  ]);
});
