const FIELDS = "input:not([type=hidden]), select, textarea";

/** The field that a link of the summary is about: where it leads, or the first one of that group. */
function fieldOf(link: HTMLAnchorElement): HTMLElement | null {
  const target = document.getElementById(link.hash.slice(1));
  if (!target || target.matches(FIELDS)) return target;
  return target.closest(".field")?.querySelector<HTMLElement>(FIELDS) ?? null;
}

const inDocument = (one: Node, other: Node) =>
  one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;

/**
 * Leads to what the server found wrong with the order form: to the first field that is, whose message is
 * announced with it, and to the summary above the form if something in it isn't about a field.
 * https://design-system.service.gov.uk/components/error-summary/
 */
export function leadToProblems(): void {
  const summary = document.getElementById("problems");
  // "Still trying" asks for nothing.
  if (summary?.getAttribute("role") !== "alert") return;
  const fields = [...summary.querySelectorAll("li")].map((problem) => {
    const link = problem.querySelector<HTMLAnchorElement>(":scope > a");
    return link && fieldOf(link);
  });
  // Without the entry in the browser's history that a link to a part of the page would add.
  summary.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const place = link && (fieldOf(link) ?? document.getElementById(link.hash.slice(1)));
    if (!place) return;
    event.preventDefault();
    place.focus();
  });
  const isAboutFields = fields.every((field) => field !== null);
  // The form's order, in case the summary has another.
  const [field = null] = isAboutFields ? fields.sort(inDocument) : [];
  const lead = (): void => {
    (field ?? summary).focus({ preventScroll: true });
    const place = field?.closest(".field") ?? summary;
    place.scrollIntoView({ block: "nearest" });
    // Rather no summary than half of one below the sheet's head.
    if (place.closest("dialog")?.scrollTop) place.scrollIntoView();
  };
  lead();
  // Once the page has loaded, the browser goes to the #part in its address and takes the focus away.
  const again = (): void => {
    if (document.activeElement === document.body) lead();
  };
  if (document.readyState !== "complete") addEventListener("load", () => setTimeout(again));
}
