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
    return; // Without a memory every look would count.
  }
  navigator.sendBeacon(url);
}
