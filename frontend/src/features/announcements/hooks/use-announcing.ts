import { type ReactNode, useState } from "react";
import { ApiError } from "@/api/client";
import type { AnnouncementWish, Platform, PostResult } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { showError, showSuccess } from "@/ui/toaster";
import { useGenerateAnnouncement } from "../api/generate-announcement";
import { usePublishAnnouncement } from "../api/publish-announcement";
import { useCourtesyCopy } from "../api/send-courtesy-copy";
import { SHORT_LENGTH, shortLength } from "../lib/short-length";
import { leadOn, openEmpty } from "../lib/windows";

export type Tone = NonNullable<AnnouncementWish["tone"]>;
export type Language = NonNullable<AnnouncementWish["language"]>;

/** A platform's result, and whether its composer opened by itself. */
export interface Posted extends PostResult {
  opened: boolean;
}

const failed = (failure: unknown, status: number) =>
  failure instanceof ApiError && failure.status === status;

/** The text of an announcement and everything that can be done with it. */
export function useAnnouncing(offerIds: string[], onMessageChange?: (message: string) => void) {
  const [message, setText] = useState("");
  const [short, setShort] = useState("");
  const [tone, setTone] = useState<Tone>("friendly");
  const [language, setLanguage] = useState<Language>("en-us");
  const [posted, setPosted] = useState<Posted[]>([]);
  const [problem, setProblem] = useState<ReactNode>("");
  const generate = useGenerateAnnouncement();
  const post = usePublishAnnouncement();
  const copy = useCourtesyCopy();

  function setMessage(text: string) {
    setText(text);
    onMessageChange?.(text);
  }

  function fail(title: string, sentence: ReactNode) {
    setProblem(sentence);
    showError(title, sentence);
  }

  async function write() {
    setProblem("");
    try {
      const text = await generate.mutateAsync({ offerIds, tone, language });
      setMessage(text.message);
      setShort(text.short);
    } catch (failure) {
      if (failed(failure, 401)) {
        fail("Authentication Required", "Please log in to generate announcement messages.");
      } else if (failed(failure, 409)) {
        fail("No Special Offers Found", sentenceFor(failure, ""));
      } else {
        fail("Generation Failed", "Unable to generate announcement message. Please try again.");
      }
    }
  }

  /** Posts on these platforms, in `windows` that the press has opened. */
  async function announceOn(platforms: Platform[]) {
    setProblem("");
    const composed = platforms.filter((platform) => platform !== "instagram");
    const windows = new Map<Platform, Window | null>(
      composed.map((platform) => [platform, openEmpty()]),
    );
    // Copied while the browser still counts the press: on a platform that takes no text, the owner
    // pastes it.
    if (composed.length < platforms.length || platforms.includes("facebook")) {
      void navigator.clipboard?.writeText(message).catch(() => undefined);
    }
    try {
      const { results } = await post.mutateAsync({
        message,
        shortMessage: shortLength(message) > SHORT_LENGTH ? short : "",
        platforms,
      });
      const outcomes = results.map((result) => ({
        ...result,
        opened: result.success && leadOn(windows.get(result.platform), result.url),
      }));
      for (const result of outcomes) if (!result.opened) windows.get(result.platform)?.close();
      setPosted((before) => [
        ...before.filter(({ platform }) => !outcomes.some((each) => each.platform === platform)),
        ...outcomes,
      ]);
    } catch (failure) {
      for (const opened of windows.values()) opened?.close();
      const title = failed(failure, 409) ? "No Platforms Configured" : "Error";
      fail(title, sentenceFor(failure, "We couldn't open the announcement. Try again."));
    }
  }

  async function sendCopy() {
    setProblem("");
    try {
      const platformsUsed = posted.filter(({ success }) => success).map(({ platform }) => platform);
      const answer = await copy.mutateAsync({ announcementMessage: message, platformsUsed });
      showSuccess("Courtesy copy", answer.message);
    } catch (failure) {
      fail("Error", sentenceFor(failure, "We couldn't send the copy. Try again."));
    }
  }

  return {
    message,
    setMessage,
    short,
    setShort,
    shortIfLong: shortLength(message) > SHORT_LENGTH ? short : "",
    tone,
    setTone,
    language,
    setLanguage,
    posted,
    problem,
    write,
    announceOn,
    sendCopy,
    writing: generate.isPending,
    posting: post.isPending,
    copying: copy.isPending,
  };
}
