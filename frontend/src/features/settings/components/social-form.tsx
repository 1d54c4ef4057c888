import { CircleCheck } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiError } from "@/api/client";
import type { Profile } from "@/api/types";
import { editedMeanwhile, mergeEdits } from "@/lib/merge-edits";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { showError, showSuccess } from "@/ui/toaster";
import { useSaveLinks } from "../api/save-social-links";
import {
  handleOf,
  type Links,
  linkOf,
  type Platform,
  platformNames,
  platforms,
  prefixes,
} from "../lib/social-links";
import { OptOut } from "./opt-out";

const FAILED = "Failed to update social media links";
const NO_LINK = "Must be a valid URL or empty";

type Texts = Record<Platform, string>;
type FieldErrors = Partial<Record<Platform, string>>;

const handles = (links: Links): Texts => ({
  facebook: handleOf("facebook", links.facebook ?? ""),
  instagram: handleOf("instagram", links.instagram ?? ""),
  twitter: handleOf("twitter", links.twitter ?? ""),
});

const everyLink = (links: Links): Record<Platform, string> => ({
  facebook: links.facebook ?? "",
  instagram: links.instagram ?? "",
  twitter: links.twitter ?? "",
});

/** The link as it is stored already, where the handle was not touched: `x.com` stays `x.com`. */
function storedOr(platform: Platform, typed: string, stored: Links): string | null {
  const link = stored[platform];
  const isUntouched = link !== undefined && handleOf(platform, link) === typed.trim();
  return isUntouched ? link : linkOf(platform, typed);
}

/** The restaurant's pages on social media: a handle each, after a fixed prefix. */
export function SocialForm({ profile }: { profile: Profile }) {
  // The links that were there when typing began, which can be older than `profile`.
  const [base, setBase] = useState(profile);
  const stored: Links = base.socialMediaLinks;
  const [texts, setTexts] = useState(() => handles(stored));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<ReactNode>("");
  const save = useSaveLinks();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const frame = event.currentTarget;
    const links: Links = {};
    const wrong: FieldErrors = {};
    for (const platform of platforms) {
      const link = storedOr(platform, texts[platform], stored);
      if (link === null) wrong[platform] = NO_LINK;
      else links[platform] = link;
    }
    setErrors(wrong);
    setProblem("");
    const [first] = Object.keys(wrong);
    if (first) {
      frame.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
      return;
    }
    try {
      await send(links, base);
    } catch (failure) {
      const sentence = sentenceFor(failure, FAILED);
      if (failure instanceof ApiError) setErrors(serverErrors(failure));
      setProblem(sentence);
      showError(FAILED, sentence === FAILED ? undefined : sentence);
    }
  }

  /** Saves. Links that only somebody else changed since `seen` stay theirs. */
  async function send(links: Links, seen: Profile): Promise<void> {
    try {
      const answer = await save.mutateAsync({ links, version: seen.version });
      setBase(answer);
      setTexts(handles(answer.socialMediaLinks));
      showSuccess("Social media links updated successfully");
    } catch (failure) {
      const current = editedMeanwhile<Profile>(failure);
      if (!current) throw failure;
      const { values, contested } = mergeEdits(
        everyLink(seen.socialMediaLinks),
        everyLink(current.socialMediaLinks),
        everyLink(links),
      );
      setBase(current);
      setTexts(handles(values));
      if (contested.length === 0) return send(values, current);
      const theirs = contested.map(
        (platform) =>
          `${platformNames[platform]} to ${current.socialMediaLinks[platform] || "none"}`,
      );
      setProblem(
        `Someone else changed ${theirs.join(" and ")} while you had this open. Save again to use yours instead.`,
      );
    }
  }

  return (
    <div className="stack rhythm-5">
      <form noValidate className="stack" onSubmit={(event) => void submit(event)}>
        {platforms.map((platform) => (
          <Field
            key={platform}
            label={
              <>
                {platformNames[platform]}
                {stored[platform] && <SavedMark />}
              </>
            }
            optional
            error={errors[platform]}
            hint={
              platform === "facebook" ? "Your page name, or paste its full address." : undefined
            }
          >
            {(control) => (
              <div className="joined">
                <span className="joined-start" id={`${control.id}-prefix`}>
                  {prefixes[platform].replace("https://", "")}
                </span>
                <input
                  className="control"
                  {...control}
                  aria-describedby={[`${control.id}-prefix`, control["aria-describedby"]]
                    .filter(Boolean)
                    .join(" ")}
                  name={platform}
                  inputMode="url"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  maxLength={400}
                  value={texts[platform]}
                  onChange={({ target }) => {
                    setTexts({ ...texts, [platform]: target.value });
                    setErrors({ ...errors, [platform]: undefined });
                  }}
                  onBlur={() =>
                    setTexts({ ...texts, [platform]: handleOf(platform, texts[platform]) })
                  }
                />
              </div>
            )}
          </Field>
        ))}
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <Button type="submit" variant="primary" className="self-start" busy={save.isPending}>
          {save.isPending ? "Saving..." : "Save Social Media Links"}
        </Button>
      </form>
      <OptOut profile={profile} />
    </div>
  );
}

/** This link is stored. */
function SavedMark() {
  return (
    <>
      <CircleCheck
        size="1rem"
        strokeWidth={1.75}
        aria-hidden="true"
        className="ml-1 inline align-[-3px] text-herb"
      />
      <span className="sr-only"> saved</span>
    </>
  );
}

/** The server's errors, which name a link by its path: `socialMediaLinks.facebook`. */
function serverErrors(failure: ApiError): FieldErrors {
  const entries = failure.errors.map(({ field, message }) => [field.split(".").at(-1), message]);
  return Object.fromEntries(entries);
}
