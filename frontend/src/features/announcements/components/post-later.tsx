import { BellRing } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { sentenceFor } from "@/lib/server-errors";
import { formatMoment, zonedMoment, zoneName } from "@/lib/times";
import { Button } from "@/ui/button";
import { DateTimeInput } from "@/ui/inputs";
import { showSuccess } from "@/ui/toaster";
import { useRemindToPost } from "../api/remind-to-post";

interface PostLaterProps {
  message: string;
  shortMessage: string;
  /** The restaurant's. */
  timeZone: string;
}

/** Asks when to post, and has an email sent then: the platforms take posts from their owner only. */
export function PostLater({ message, shortMessage, timeZone }: PostLaterProps) {
  const [wall, setWall] = useState("");
  const [problem, setProblem] = useState<ReactNode>("");
  const remind = useRemindToPost();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const moment = zonedMoment(wall, timeZone);
    if (Number.isNaN(moment.getTime())) {
      setProblem("Choose a day and a time.");
      return;
    }
    setProblem("");
    try {
      const { remindAt } = await remind.mutateAsync({
        message,
        shortMessage,
        remindAt: moment.toISOString(),
      });
      showSuccess("Reminder set", `We'll email you on ${formatMoment(remindAt ?? "", timeZone)}.`);
      setWall("");
    } catch (failure) {
      setProblem(sentenceFor(failure, "We couldn't set the reminder. Try again."));
    }
  }

  return (
    <details className="fold fold-framed">
      <summary>Post later</summary>
      <form className="stack rhythm-3" onSubmit={submit} noValidate>
        <p className="small muted">
          Only you can post to your pages. We'll email you the text, the links, and the pictures
          when it's time.
        </p>
        <DateTimeInput
          label="Remind me on"
          hint={`Your restaurant's time (${zoneName(timeZone, new Date())})`}
          error={problem || undefined}
          value={wall}
          onChange={(event) => setWall(event.target.value)}
        />
        <Button type="submit" className="self-start" busy={remind.isPending}>
          <BellRing size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          Remind me
        </Button>
      </form>
    </details>
  );
}
