import { Mail, Megaphone, Sparkles } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { Select, TextArea } from "@/ui/inputs";
import { Notice } from "@/ui/notice";
import { useAnnouncements } from "../api/get-announcements";
import { type Language, type Tone, useAnnouncing } from "../hooks/use-announcing";
import { SHORT_LENGTH, shortLength } from "../lib/short-length";
import { PicturesToPost } from "./pictures-to-post";
import { PostLater } from "./post-later";
import { PostingStatus, platformNames } from "./posting-status";

/** From opening the step to a text that writes itself. */
const WRITE_AFTER = 500;
const LONGEST = 2000;
const TONES: Record<Tone, string> = {
  friendly: "Friendly",
  lively: "Playful",
  plain: "Just the facts",
};
const LANGUAGES: Record<Language, string> = { "en-us": "English", es: "Español" };

interface AnnounceProps {
  /** The specials it is about; empty for all that are open. */
  offerIds?: string[];
  /** Whether a text is written by itself, half a second after this appears. */
  writeOnOpen?: boolean;
  onMessageChange?: (message: string) => void;
  /** Where the links to social media are set up; null where the form stands on the same page. */
  linksUrl?: string | null;
}

const everything: string[] = [];

/** Composes an email to followers: about the one special, or about all that are open. */
function emailUrl(offerIds: string[]) {
  const about = offerIds.length === 1 ? `?special=${offerIds[0]}` : "";
  return `/restaurant/audience/emails/new${about}`;
}

/** Writes an announcement, lets one change it, and opens it on each platform. */
export function Announce({
  offerIds = everything,
  writeOnOpen = false,
  onMessageChange,
  linksUrl = null,
}: AnnounceProps) {
  const places = useAnnouncements();
  const followers = places.data?.followers ?? 0;
  const announcing = useAnnouncing(offerIds, onMessageChange);
  const { message, short, posted, problem, writing, posting, copying } = announcing;
  const write = useRef(announcing.write);
  write.current = announcing.write;

  useEffect(() => {
    if (!writeOnOpen) return;
    const timer = setTimeout(() => void write.current(), WRITE_AFTER);
    return () => clearTimeout(timer);
  }, [writeOnOpen]);

  const platforms = places.data?.platforms ?? [];
  const linked = platforms.filter(({ url }) => url).map(({ platform }) => platform);
  const pictured = (places.data?.specials ?? []).filter(
    ({ id }) => offerIds.length === 0 || offerIds.includes(id),
  );
  const empty = message.trim() === "";
  const tweets = linked.includes("twitter");
  const length = shortLength(message);
  return (
    <div className="stack">
      <TextArea
        label="Announcement message"
        className="control min-h-[120px]"
        rows={9}
        maxLength={LONGEST}
        placeholder={writing || writeOnOpen ? "Writing…" : "Write your own or generate one"}
        hint={
          tweets && !empty
            ? `${length} of Twitter's ${SHORT_LENGTH} characters; each link counts as 23`
            : undefined
        }
        value={message}
        onChange={(event) => announcing.setMessage(event.target.value)}
      />
      {tweets && length > SHORT_LENGTH && (
        <TextArea
          label="Short version for Twitter"
          className="control min-h-20"
          rows={3}
          hint={`${shortLength(short)} of ${SHORT_LENGTH} characters`}
          error={
            shortLength(short) > SHORT_LENGTH ? "Shorten it to fit Twitter's limit." : undefined
          }
          value={short}
          onChange={(event) => announcing.setShort(event.target.value)}
        />
      )}
      <div className="stack rhythm-3">
        <div className="grid max-w-md grid-cols-2 gap-3">
          <Select
            label="Tone"
            value={announcing.tone}
            onChange={(event) => announcing.setTone(event.target.value as Tone)}
          >
            <Options of={TONES} />
          </Select>
          <Select
            label="Language"
            value={announcing.language}
            onChange={(event) => announcing.setLanguage(event.target.value as Language)}
          >
            <Options of={LANGUAGES} />
          </Select>
        </div>
        <div className="cluster">
          <Button busy={writing} onClick={() => announcing.write()}>
            {!writing && <Sparkles size="1.125rem" strokeWidth={1.5} aria-hidden="true" />}
            {writing ? "Writing…" : "Generate Message"}
          </Button>
          <CopyButton text={message} label="Copy text" done="Text copied!" disabled={empty} />
        </div>
      </div>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      {places.isError && (
        <Notice tone="berry">
          <p>We couldn't load your platforms. Your text is still here.</p>
          <Button size="small" className="self-start" onClick={() => places.refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {places.data && linked.length === 0 && (
        <Notice tone="honey">
          <p>Set up your social media links in the Marketing section first.</p>
          {linksUrl && <a href={linksUrl}>Set up your links</a>}
        </Notice>
      )}
      <div className="stack rhythm-3">
        <Button
          variant="primary"
          className="self-start max-sm:w-full"
          busy={posting}
          disabled={empty || linked.length === 0}
          onClick={() => announcing.announceOn(linked)}
        >
          {!posting && <Megaphone size="1.125rem" strokeWidth={1.5} aria-hidden="true" />}
          Announce Everywhere
        </Button>
        {platforms.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: buttons, not fields
          <div role="group" aria-label="Announce on one platform" className="cluster">
            {platforms.map(({ platform }) => (
              <Button
                key={platform}
                size="small"
                disabled={empty || posting}
                onClick={() => announcing.announceOn([platform])}
              >
                {platform === "instagram" ? "Copy for Instagram" : platformNames[platform]}
              </Button>
            ))}
          </div>
        )}
      </div>
      {posted.length > 0 && <PostingStatus posted={posted} />}
      <PicturesToPost specials={pictured} language={announcing.language} />
      {places.data && !empty && linked.length > 0 && (
        <PostLater
          message={message}
          shortMessage={announcing.shortIfLong}
          timeZone={places.data.timezone}
        />
      )}
      {followers > 0 && (
        <ButtonLink className="self-start" href={emailUrl(offerIds)}>
          <Mail size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          Email {followers === 1 ? "1 follower" : `${followers} followers`}
        </ButtonLink>
      )}
      <Button
        variant="quiet"
        className="self-start"
        busy={copying}
        disabled={empty}
        onClick={announcing.sendCopy}
      >
        {!copying && <Mail size="1.125rem" strokeWidth={1.5} aria-hidden="true" />}
        Email the owner a copy
      </Button>
    </div>
  );
}

function Options({ of }: { of: Record<string, string> }) {
  return Object.entries(of).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
