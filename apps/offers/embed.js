/**
 * Shows a restaurant's specials on another site, in a frame right after this script:
 *
 *   <script async src="https://luigis.example/embed.js"></script>
 *
 * data-special="{id}" shows one special, data-theme="light" or "dark" fixes the theme, which
 * otherwise follows the guest's device, data-lang="es" the language. The frame is as high as what is
 * in it; it touches no style of the page around it.
 */
(() => {
  const script = document.currentScript;
  if (!script) return;
  const { special, theme, lang, title } = script.dataset;
  const address = new URL("embed", script.src);
  for (const [name, value] of Object.entries({ special, theme, lang })) {
    if (value) address.searchParams.set(name, value);
  }
  const frame = document.createElement("iframe");
  frame.src = address.href;
  frame.title = title || "Specials";
  frame.style.cssText = "display:block;width:100%;height:480px;border:0;color-scheme:normal";
  script.after(frame);
  window.addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || event.origin !== address.origin) return;
    const height = event.data?.fullyBookedHeight;
    if (Number.isFinite(height) && height > 0 && height < 20000) {
      frame.style.height = `${Math.ceil(height)}px`;
    }
  });
})();
