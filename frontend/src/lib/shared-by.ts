/** The parameter of a share link. */
export const SHARED_BY = "ref";
const CODE = /^[0-9a-f]{12}$/;

/** The code of the share link that led here, in this tab; empty without one. */
export function sharedBy(): string {
  const referralCode = new URLSearchParams(location.search).get(SHARED_BY) ?? "";
  try {
    if (CODE.test(referralCode)) sessionStorage.setItem(SHARED_BY, referralCode);
    return sessionStorage.getItem(SHARED_BY) ?? "";
  } catch {
    return CODE.test(referralCode) ? referralCode : "";
  }
}
