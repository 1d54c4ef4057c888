import { SHARED_BY, sharedBy } from "../../lib/shared-by";

/** The order form takes along who shared the link; without a script the server reads the address. */
export function carrySharedBy(): void {
  const referralCode = sharedBy();
  for (const field of document.querySelectorAll<HTMLInputElement>("input[name=ref]")) {
    field.value ||= referralCode;
  }
}

/** Says once per browser session that an offer's page was looked at; never when asked not to. */
export function countVisit(): void {
  const url = document
    .querySelector<HTMLElement>("[data-offer][data-progress-url]")
    ?.dataset.progressUrl?.replace("progress", "seen");
  if (!url || navigator.doNotTrack === "1" || location.search.includes("preview")) return;
  try {
    if (sessionStorage.getItem(url)) return;
    sessionStorage.setItem(url, "1");
  } catch {
    return; // Without storage every page view would count.
  }
  const referralCode = sharedBy();
  navigator.sendBeacon(referralCode ? `${url}?${SHARED_BY}=${referralCode}` : url);
}
