import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardForms } from "./guarded-forms";

const FORM = `<form method="post" action="/account/name">
  <input type="hidden" name="csrfmiddlewaretoken" value="old">
  <input name="name" value="Ana"><button name="way" value="save">Save name</button></form>`;
let sent: FormData[] = [];

const form = () => document.querySelector("form") as HTMLFormElement;
const button = () => document.querySelector("button") as HTMLButtonElement;
const note = () => document.querySelector("[role=alert]");

/** The server's page with this form; what it really sends is in `sent`. */
function page(html = FORM): void {
  document.body.innerHTML = html;
  form().addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push(new FormData(form(), event.submitter));
  });
}

function answer(status: number): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(async () => new Response("{}", { status }));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

beforeEach(() => {
  sent = [];
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie that Django sets
  document.cookie = "csrftoken=new";
  if (document.querySelector("meta[name=signed-in]")) return;
  document.head.innerHTML = '<meta name="signed-in" content="yes">';
  guardForms();
});

afterEach(() => vi.unstubAllGlobals());

test("a form of somebody signed in is sent once, with the button and a new token", async () => {
  const fetched = answer(200);
  page();
  button().click();
  button().click();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(Object.fromEntries(sent[0] ?? [])).toEqual({
    csrfmiddlewaretoken: "new",
    name: "Ana",
    way: "save",
  });
  expect(fetched).toHaveBeenCalledOnce();
  expect(note()).toBeNull();
});

test("after the session ended nothing is sent, what was typed stays, and a sign-in opens beside it", async () => {
  answer(401);
  page();
  button().click();
  await vi.waitFor(() => expect(note()).not.toBeNull());
  expect(note()?.textContent).toBe(
    "You've been signed out. What you entered is still here. Sign in again in a new tab, then try again.",
  );
  const link = note()?.querySelector("a");
  expect(link?.getAttribute("href")).toBe("/login?next=%2F");
  expect(link?.target).toBe("_blank");
  expect(sent).toEqual([]);
  answer(200);
  button().click();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(note()).toBeNull();
});

test("without a connection the form stays and says so", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  page();
  button().click();
  await vi.waitFor(() => expect(note()).not.toBeNull());
  expect(note()?.textContent).toBe(
    "We couldn't reach the server. Check your connection and try again. What you entered is still here.",
  );
  expect(sent).toEqual([]);
});

test("what else the server objects to is its answer to the form itself", async () => {
  answer(500);
  page();
  button().click();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
});

test("a form with nothing to type in is sent at once", () => {
  const fetched = answer(401);
  page(FORM.replace('<input name="name" value="Ana">', ""));
  button().click();
  expect(sent.map((each) => each.get("csrfmiddlewaretoken"))).toEqual(["new"]);
  expect(fetched).not.toHaveBeenCalled();
});
