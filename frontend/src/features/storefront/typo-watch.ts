/** What a guest can mistype an address in; on any page, and in the cart. */
export const EMAIL_FIELD = ".field input[type=email]";

/**
 * Loads what asks about mistyped addresses (email-typos.ts) when a guest turns to a field for one. Its
 * address is in the page, as the cart's is: an import that the build resolves brings a helper of 0.7 KB.
 */
export function loadTypoWatch(): void {
  const script = document.querySelector<HTMLMetaElement>("meta[name=email-typos]")?.content;
  if (!script) return;
  document.addEventListener("focusin", function load({ target }) {
    if (!(target instanceof Element) || !target.matches(EMAIL_FIELD)) return;
    document.removeEventListener("focusin", load);
    // Without a connection, nobody is asked.
    import(/* @vite-ignore */ script).catch(() => {});
  });
}
