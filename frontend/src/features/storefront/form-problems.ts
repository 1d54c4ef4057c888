const FIELDS = "input:not([type=hidden]), select, textarea";

/** The field that a link of the summary is about: where it leads, or the first one of that group. */
function fieldOf(link: HTMLAnchorElement): HTMLElement | null {
  const target = document.getElementById(link.hash.slice(1));
  if (!target || target.matches(FIELDS)) return target;
  return target.closest(".field")?.querySelector<HTMLElement>(FIELDS) ?? null;
}

/**
 * Leads to what the server found wrong with the order form: to the field if it is the only one, whose
 * message is announced with it, else to the summary, whose links lead to each.
 * https://design-system.service.gov.uk/components/error-summary/
 */
export function leadToProblems(): void {
  const summary = document.getElementById("problems");
  // "Still trying" asks for nothing.
  if (summary?.getAttribute("role") !== "alert") return;
  const links = summary.querySelectorAll<HTMLAnchorElement>("li > a");
  const [only] = summary.querySelectorAll("li").length === 1 ? links : [];
  const field = only ? fieldOf(only) : null;
  const lead = (): void => {
    (field ?? summary).focus({ preventScroll: true });
    (field?.closest(".field") ?? summary).scrollIntoView({ block: "nearest" });
  };
  lead();
  // Once the page has loaded, the browser goes to the #part in its address and takes the focus away.
  const again = (): void => {
    if (document.activeElement === document.body) lead();
  };
  if (document.readyState !== "complete") addEventListener("load", () => setTimeout(again));
}
