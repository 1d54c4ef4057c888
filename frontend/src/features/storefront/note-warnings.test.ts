import { expect, test } from "vitest";
import { watchNote } from "./note-warnings";

test("a warning is shown while the note mentions its allergen, also one that is there already", () => {
  document.body.innerHTML = `<form><textarea name="note">Sin leche</textarea>
    <p data-note-mentions="milk,leche" hidden>milk</p><p data-note-mentions="gluten,wheat" hidden>gluten</p></form>`;
  const form = document.forms[0] as HTMLFormElement;
  const note = form.elements.namedItem("note") as HTMLTextAreaElement;
  const shown = () =>
    [...form.querySelectorAll<HTMLElement>("p")].filter((p) => !p.hidden).map((p) => p.textContent);
  watchNote(form);
  expect(shown()).toEqual(["milk"]);
  note.value = "No wheat";
  note.dispatchEvent(new Event("input"));
  expect(shown()).toEqual(["gluten"]);
  note.value = "";
  note.dispatchEvent(new Event("input"));
  expect(shown()).toEqual([]);
});
