/** Opens the part that a link to `#part` is about, a `details` or inside of one, without loading the page
 * again. Without a script, the server opens what `?open=…` names. */
export function openFolds(): void {
  open(location.hash);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a");
    if (link && link.pathname === location.pathname && open(link.hash)) event.preventDefault();
  });
}

function open(hash: string): boolean {
  const fold = hash ? document.getElementById(hash.slice(1))?.closest("details") : null;
  for (let part = fold; part; part = part.parentElement?.closest("details")) part.open = true;
  fold?.querySelector("summary")?.focus();
  fold?.scrollIntoView({ block: "nearest" });
  return Boolean(fold);
}
