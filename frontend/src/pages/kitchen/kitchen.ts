/** The kitchen sheet: paper needs no script; a screen gets a button that prints. */
import "@/styles/app.css";
import "@/features/kitchen/kitchen-sheet.css";

const button = document.querySelector<HTMLButtonElement>("[data-print]");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
