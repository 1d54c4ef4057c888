import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import { withBotCheck } from "./with-bot-check";

const guard = { siteKey: "", startedAt: "signed", minimumSeconds: 2 };
const asked = () => new ApiError(403, "Forbidden", JSON.stringify({ botCheck: guard }));

describe("withBotCheck", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("sends once if no check is needed", async () => {
    const send = vi.fn().mockResolvedValue("begun");
    await expect(withBotCheck(send)).resolves.toBe("begun");
    expect(send.mock.calls).toEqual([[{}]]);
  });

  it("sends again with the check, after the time a person takes", async () => {
    const send = vi.fn().mockRejectedValueOnce(asked()).mockResolvedValueOnce("begun");
    const sent = withBotCheck(send);
    await vi.advanceTimersByTimeAsync(2000);
    expect(send).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    await expect(sent).resolves.toBe("begun");
    expect(send.mock.calls[1]).toEqual([{ hcaptchaToken: "", startedAt: "signed" }]);
  });

  it("passes on any other failure", async () => {
    const gone = new ApiError(409, "Conflict", JSON.stringify({ message: "Sold out" }));
    const send = vi.fn().mockRejectedValue(gone);
    await expect(withBotCheck(send)).rejects.toBe(gone);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("asks for the check only once", async () => {
    const again = asked();
    const send = vi.fn().mockRejectedValueOnce(asked()).mockRejectedValueOnce(again);
    const sent = withBotCheck(send).catch((failure: unknown) => failure);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await sent).toBe(again);
    expect(send).toHaveBeenCalledTimes(2);
  });
});
