/** Opens the part that a link to `#part` is about, a `details` or inside of one, without loading the page
 * again. Without a script, the server opens what `?open=…` names. A link out of it ([data-close-fold])
 * closes it. */
export function openFolds(): void {
  open(location.hash);
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const opened = event.target.closest("summary")?.closest<HTMLDetailsElement>("details.fold");
    // The browser opens it after this.
    if (opened && !opened.open) setTimeout(() => opened.scrollIntoView({ block: "nearest" }));
    const link = event.target.closest<HTMLAnchorElement>("a");
    if (link?.matches("[data-close-fold]") && close(link)) return event.preventDefault();
    if (link?.pathname === location.pathname && open(link.hash)) event.preventDefault();
  });
}

/** Closes the part around a link out of it, and goes back to what opened it, a link or its title. The link itself
 * leads out of a page that was opened with the part's `#part`, which CSS keeps in view (`:target`). */
function close(link: HTMLAnchorElement): boolean {
  const fold = link.closest<HTMLDetailsElement>("details[id]");
  if (!fold || location.hash) return false;
  fold.open = false;
  const opener = document.querySelector<HTMLElement>(`a[href$="#${fold.id}"]`);
  (opener ?? fold.querySelector("summary"))?.focus();
  return true;
}

function open(hash: string): boolean {
  const fold = hash ? document.getElementById(hash.slice(1))?.closest("details") : null;
  for (let part = fold; part; part = part.parentElement?.closest("details")) part.open = true;
  fold?.querySelector("summary")?.focus();
  fold?.scrollIntoView({ block: "nearest" });
  return Boolean(fold);
}
