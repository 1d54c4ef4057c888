import { shrunk } from "../../../lib/shrink-image";
import { isReadable, nearestReadable, parseColor } from "./contrast";

/**
 * Makes the form of a restaurant's look quicker: a picker beside the color's text, what its contrast
 * is before it is sent, and the pictures that were chosen. The server decides; without this script the
 * form works the same and answers with the nearest color.
 */
export function startBrandForm(root: ParentNode = document): void {
  startColor(root);
  for (const input of root.querySelectorAll<HTMLInputElement>("input[type=file][data-shown-in]")) {
    showChosen(root, input);
  }
}

function startColor(root: ParentNode): void {
  const part = root.querySelector<HTMLElement>("[data-color]");
  const text = part?.querySelector<HTMLInputElement>("input[name=accent]");
  const picker = part?.querySelector<HTMLInputElement>("input[type=color]");
  const verdict = part?.querySelector<HTMLElement>("[data-verdict]");
  const use = part?.querySelector<HTMLButtonElement>("[data-use]");
  if (!part || !text || !picker || !verdict || !use) return;
  const backgrounds = (part.dataset.color ?? "").split(" ").flatMap((each) => {
    const color = parseColor(each);
    return color ? [color] : [];
  });

  function judge(typed: string): void {
    if (!verdict || !use || !picker) return;
    const color = parseColor(typed);
    use.hidden = true;
    verdict.textContent = "";
    if (!color) return;
    picker.value = color.hex;
    if (isReadable(color, backgrounds)) {
      verdict.textContent = "Easy to read on your pages.";
      return;
    }
    const nearest = nearestReadable(color, backgrounds).hex;
    verdict.textContent = `Hard to read on your pages. The nearest that works is ${nearest}.`;
    use.textContent = `Use ${nearest}`;
    use.value = nearest;
    use.hidden = false;
  }

  picker.hidden = false;
  picker.addEventListener("input", () => {
    text.value = picker.value;
    judge(text.value);
  });
  text.addEventListener("input", () => judge(text.value));
  use.addEventListener("click", () => {
    text.value = use.value;
    judge(text.value);
    text.focus();
  });
  judge(text.value);
}

function showChosen(root: ParentNode, input: HTMLInputElement): void {
  const image = root.querySelector<HTMLImageElement>(`#${input.dataset.shownIn}`);
  if (!image) return;
  input.addEventListener("change", async () => {
    const chosen = input.files?.[0];
    if (!chosen) return;
    const send = input.form?.querySelector<HTMLButtonElement>("button[type=submit]:not([name])");
    if (send) send.disabled = true;
    const file = await shrunk(chosen);
    if (file !== chosen) {
      // A phone's photo is larger than the server takes; only a DataTransfer makes a list of files:
      // https://developer.mozilla.org/en-US/docs/Web/API/DataTransfer/items
      const small = new DataTransfer();
      small.items.add(file);
      input.files = small.files;
    }
    if (send) send.disabled = false;
    if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(file);
    image.hidden = false;
  });
}
