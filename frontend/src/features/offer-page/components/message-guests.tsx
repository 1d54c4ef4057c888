import { Mail } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { GuestMessagePreview, Special } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { TextArea } from "@/ui/inputs";
import { showSuccess } from "@/ui/toaster";
import { newMessageKey, useMessageGuests, usePreviewMessage } from "../api/message-guests";

/** As the server has it. */
const LONGEST_MESSAGE = 1000;
const ADDRESS = "#message";
// Before a paragraph that somebody wrote, as in the email's plain text.
const QUOTE = "> ";

/** A way to tell the guests of this special something, such as another pickup time. */
export function MessageGuests({ special }: { special: Special }) {
  // The dashboard's result links here.
  const [writing, setWriting] = useState(() => location.hash === ADDRESS);

  // So that a reload, or Back, doesn't open it once more.
  useEffect(() => {
    if (location.hash !== ADDRESS) return;
    history.replaceState(history.state, "", location.pathname + location.search);
  }, []);

  return (
    <section className="stack rhythm-2" aria-labelledby="message-guests">
      <h2 id="message-guests">Your guests</h2>
      <p className="muted">
        Something changed? Everyone who has an order gets your message by email, and can reply.
      </p>
      <Button className="self-start" onClick={() => setWriting(true)}>
        <Mail size="1rem" strokeWidth={1.5} aria-hidden="true" />
        Email your guests
      </Button>
      {writing && <MessageDialog special={special} onClose={() => setWriting(false)} />}
    </section>
  );
}

/** First the text, then the email as the first guest will read it. */
function MessageDialog({ special, onClose }: { special: Special; onClose: () => void }) {
  const [text, setText] = useState("");
  const [missing, setMissing] = useState(false);
  const [shown, setShown] = useState<GuestMessagePreview | null>(null);
  const [problem, setProblem] = useState<ReactNode>(null);
  const preview = usePreviewMessage(special.id);
  const send = useMessageGuests(special.id);
  const key = useRef(newMessageKey());
  // A changed text is another message.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what it is about
  useEffect(() => {
    key.current = newMessageKey();
  }, [text]);

  function explain(failure: unknown, otherwise: string) {
    setProblem(sentenceFor(failure, otherwise));
  }

  async function look() {
    setMissing(!text.trim());
    if (!text.trim() || preview.isPending) return;
    setProblem(null);
    try {
      setShown(await preview.mutateAsync(text.trim()));
    } catch (failure) {
      explain(failure, "We couldn't show the preview. Nothing was sent. Try again.");
    }
  }

  async function carryOut() {
    if (send.isPending) return;
    setProblem(null);
    try {
      const answer = await send.mutateAsync({ text: text.trim(), key: key.current });
      showSuccess(answer.message);
      onClose();
    } catch (failure) {
      explain(
        failure,
        "We don't know whether your message was sent. Try again: it goes out only once.",
      );
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      locked={send.isPending}
      title={shown ? "Check your message" : "Email your guests"}
      description={
        shown
          ? `${shown.guests === 1 ? "1 guest gets" : `${shown.guests} guests get`} this email.`
          : `Everyone who has an order of ${special.name} gets it.`
      }
      problem={problem}
      footer={
        shown ? (
          <>
            <Button disabled={send.isPending} onClick={() => setShown(null)}>
              Change message
            </Button>
            <Button variant="primary" busy={send.isPending} onClick={() => void carryOut()}>
              Send to {shown.guests === 1 ? "1 guest" : `${shown.guests} guests`}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" busy={preview.isPending} onClick={() => void look()}>
              Preview
            </Button>
          </>
        )
      }
    >
      {shown ? (
        <div className="card">
          <div className="card-body stack rhythm-3 break-words">
            <p className="small muted">Subject: {shown.subject}</p>
            <h3>{shown.headline}</h3>
            {shown.paragraphs.map((paragraph, place) =>
              paragraph.startsWith(QUOTE) ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never move
                <blockquote key={place} className="border-l-2 border-line pl-3">
                  {paragraph.slice(QUOTE.length)}
                </blockquote>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never move
                <p key={place}>{paragraph}</p>
              ),
            )}
          </div>
        </div>
      ) : (
        <TextArea
          label="Your message"
          rows={6}
          maxLength={LONGEST_MESSAGE}
          hint="For example: We moved pickup to 6:30 PM. Use the side door."
          error={missing ? "Write your message first." : undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
          data-autofocus
        />
      )}
    </Dialog>
  );
}
