import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Dialog } from "./dialog";

function Page({ locked = false }: { locked?: boolean }) {
  const [outer, setOuter] = useState(false);
  const [inner, setInner] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOuter(true)}>
        Open
      </button>
      <Dialog open={outer} locked={locked} title="Outer" onClose={() => setOuter(false)}>
        <button type="button" onClick={() => setInner(true)}>
          Ask
        </button>
        <Dialog open={inner} title="Inner" onClose={() => setInner(false)}>
          Sure?
        </Dialog>
      </Dialog>
    </>
  );
}

const entry = () => Number(history.state?.dialogs ?? 0);
const settled = (depth: number) => waitFor(() => expect(entry()).toBe(depth));
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const titles = () =>
  screen.queryAllByRole("dialog").map((each) => each.getAttribute("aria-labelledby"));

beforeEach(() => history.pushState(null, "", "/page"));
afterEach(async () => {
  cleanup();
  await settled(0);
  vi.restoreAllMocks();
});

test("Back closes the dialog on top, one at a time, and stays on the page", async () => {
  render(<Page />);
  press("Open");
  await settled(1);
  press("Ask");
  await settled(2);
  history.back();
  await waitFor(() => expect(screen.queryByText("Sure?")).toBeNull());
  expect(titles()).toHaveLength(1);
  history.back();
  await waitFor(() => expect(titles()).toHaveLength(0));
  expect([location.pathname, entry()]).toEqual(["/page", 0]);
});

test("a dialog that is closed otherwise leaves no entry behind", async () => {
  render(<Page />);
  press("Open");
  await settled(1);
  press("Close");
  await settled(0);
  expect(titles()).toHaveLength(0);
});

test("a dialog that closes while the page is left doesn't call the new page off", async () => {
  const go = vi.spyOn(history, "go");
  render(<Page />);
  press("Open");
  await settled(1);
  dispatchEvent(new Event("beforeunload"));
  press("Close");
  await waitFor(() => expect(titles()).toHaveLength(0));
  await new Promise((resolve) => setTimeout(resolve));
  expect(go).not.toHaveBeenCalled();

  // The page is still there, after all: its next dialog puts the entries in order.
  press("Open");
  press("Close");
  await settled(0);
  expect(go).toHaveBeenCalledExactlyOnceWith(-1);
});

test("Back doesn't close a dialog whose work is under way", async () => {
  render(<Page locked />);
  press("Open");
  await settled(1);
  history.back();
  await settled(0);
  await settled(1);
  expect(titles()).toHaveLength(1);
});

test("toasts appear below the title of an open dialog, and where they were once it is closed", async () => {
  const place = () => document.documentElement.style.getPropertyValue("--toast-top");
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 360, 76));
  render(<Page />);
  expect(place()).toBe("");
  press("Open");
  await settled(1);
  expect(place()).toBe("84px");
  press("Close");
  await settled(0);
  await waitFor(() => expect(place()).toBe(""));
});
