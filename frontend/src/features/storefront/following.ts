/** The forms to follow a restaurant that this browser has confirmed, as `<form's path> <special's id>`. */
const KEY = "following";
const AT_MOST = 20;

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

function save(followed: string[]): void {
  try {
    if (followed.length > 0) {
      localStorage.setItem(KEY, JSON.stringify(followed.slice(0, AT_MOST)));
    } else localStorage.removeItem(KEY);
  } catch {
    // Storage is off: the forms ask again.
  }
}

/** A form for one special was answered with that special; one for the restaurant, with any. */
function isAnswered(form: HTMLFormElement, followed: string[]): boolean {
  const path = form.getAttribute("action");
  const special = new FormData(form).get("special");
  return followed.some((each) =>
    special ? each === `${path} ${special}` : each.startsWith(`${path} `),
  );
}

function show(note: HTMLElement, isFollowing: boolean): void {
  for (const part of document.querySelectorAll<HTMLElement>("[data-unless-following]")) {
    part.hidden = isFollowing;
  }
  note.hidden = !isFollowing;
}

/**
 * Who confirmed an address here isn't asked for it again: on a page with the form to follow, shows
 * [data-if-following] instead of every [data-unless-following], but not on the form's own page. [data-follows], on the page that
 * confirms, is the form's path and the special, the one an address can wait for; [data-unfollows] is the
 * path of what isn't certain anymore: news ended, or the form was sent again.
 */
export function startFollowing(): void {
  const { follows } = document.querySelector<HTMLElement>("[data-follows]")?.dataset ?? {};
  const { unfollows } = document.querySelector<HTMLElement>("[data-unfollows]")?.dataset ?? {};
  const path = unfollows ?? follows?.split(" ")[0];
  const others = read().filter((each) => !each.startsWith(`${path} `));
  if (path) save(follows ? [follows, ...others] : others);
  const form = document.querySelector<HTMLFormElement>("form#follow");
  const note = form?.querySelector<HTMLElement>("[data-if-following]");
  if (!form || !note || form.getAttribute("action") === location.pathname) return;
  // What the server answered to the form stays in view.
  const look = (): void => {
    if (!form.querySelector("[aria-invalid]")) show(note, isAnswered(form, read()));
  };
  note.querySelector("a")?.addEventListener("click", () => {
    show(note, false);
    form.querySelector<HTMLElement>("input[type=email]")?.focus();
  });
  for (const event of ["storage", "pageshow"]) addEventListener(event, look);
  look();
}
