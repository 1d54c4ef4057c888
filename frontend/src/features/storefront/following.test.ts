import { afterEach, expect, test } from "vitest";
import { startFollowing } from "./following";

const FORM = (special: string, extra = "") => `<p data-unless-following>Leave your email</p>
  <form id="follow" action="/follow"><input type="hidden" name="special" value="${special}">
    <div data-unless-following><input type="email" name="email" ${extra}></div>
    <p data-if-following hidden>You're on the list. <a href="#follow-email">Use another address</a></p></form>`;
const $ = (selector: string) => document.querySelector(selector) as HTMLElement;
const isAsked = () =>
  [...document.querySelectorAll<HTMLElement>("[data-unless-following]")].every(
    ({ hidden }) => !hidden,
  );

function visit(page: string): void {
  document.body.innerHTML = page;
  startFollowing();
}
const confirm = (special = "") => visit(`<div data-follows="/follow ${special}"></div>`);

afterEach(() => {
  localStorage.clear();
  document.body.replaceChildren();
});

test("who confirmed an address for a special isn't asked for it again", () => {
  visit(FORM("1"));
  expect([isAsked(), $("[data-if-following]").hidden]).toEqual([true, true]);
  confirm("1");
  visit(FORM("1"));
  expect([isAsked(), $("[data-if-following]").hidden]).toEqual([false, false]);
});

test("another special, and another restaurant, ask for themselves", () => {
  confirm("1");
  visit(FORM("2"));
  expect(isAsked()).toBe(true);
  visit(FORM("1").replace("/follow", "/sakura/follow"));
  expect(isAsked()).toBe(true);
});

test("a newer wish takes the place of the one before, and the form sent again of both", () => {
  confirm("1");
  confirm("2");
  visit(FORM("1"));
  expect(isAsked()).toBe(true);
  visit(FORM("2"));
  expect(isAsked()).toBe(false);
  visit(`<div data-unfollows="/follow"></div>`);
  visit(FORM("2"));
  expect(isAsked()).toBe(true);
});

test("a form that is for something else than orders that open later always asks", () => {
  confirm("1");
  visit(FORM("1").replace("data-if-following", ""));
  expect(isAsked()).toBe(true);
});

test("who confirmed for any special follows the restaurant", () => {
  confirm("1");
  visit(FORM(""));
  expect(isAsked()).toBe(false);
});

test("another address can be given, in a field that has the focus", () => {
  confirm("1");
  visit(FORM("1"));
  $("a").click();
  expect([isAsked(), $("[data-if-following]").hidden]).toEqual([true, true]);
  expect(document.activeElement).toBe($("input[type=email]"));
});

test("who unsubscribed is asked again", () => {
  confirm("1");
  confirm();
  visit(`<div data-unfollows="/follow"></div>`);
  visit(FORM(""));
  expect([isAsked(), localStorage.getItem("following")]).toEqual([true, null]);
});

test("the form's own page asks whoever follows", () => {
  confirm();
  history.replaceState(null, "", "/follow");
  visit(FORM(""));
  expect(isAsked()).toBe(true);
  history.replaceState(null, "", "/");
});

test("a form with an error stays", () => {
  confirm("1");
  visit(FORM("1", "aria-invalid"));
  expect(isAsked()).toBe(true);
});
