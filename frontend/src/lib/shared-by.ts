/** The parameter of a share link. */
export const SHARED_BY = "via";
const CODE = /^[0-9a-f]{12}$/;

/** The code of the share link that led here, in this tab; nothing without one. */
export function sharedBy(): string {
  const via = new URLSearchParams(location.search).get(SHARED_BY) ?? "";
  try {
    if (CODE.test(via)) sessionStorage.setItem(SHARED_BY, via);
    return sessionStorage.getItem(SHARED_BY) ?? "";
  } catch {
    return CODE.test(via) ? via : "";
  }
}
