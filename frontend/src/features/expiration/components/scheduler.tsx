import { type FormEvent, type ReactNode, useState } from "react";
import type { SchedulerStatus } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { formatMoment } from "@/lib/times";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { NumberInput, TextInput } from "@/ui/inputs";
import { showError, showSuccess } from "@/ui/toaster";
import { useScheduler, useStartScheduler, useStopScheduler } from "../api/expirations";

const FAILED = "That didn't work, and nothing was changed. Try again in a minute.";
const LEAST = 5;
const MOST = 1440;

interface SchedulerProps {
  initial: SchedulerStatus;
  intervalMinutes: number;
}

/** Whether specials are settled automatically; starts it with an interval, and stops it. */
export function Scheduler({ initial, intervalMinutes }: SchedulerProps) {
  const status = useScheduler(initial).data;
  const [interval, setInterval] = useState(String(intervalMinutes));
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<ReactNode>("");
  const starting = useStartScheduler();
  const stopping = useStopScheduler();

  async function start() {
    const minutes = Number(interval);
    if (!Number.isInteger(minutes) || minutes < LEAST || minutes > MOST) {
      setProblem(`Enter an interval from ${LEAST} to ${MOST} minutes.`);
      return;
    }
    try {
      await starting.mutateAsync(minutes);
      showSuccess("Scheduler started", `It runs every ${minutes} minutes.`);
    } catch (failure) {
      fail("Failed to Start Scheduler", failure);
    }
  }

  async function stop() {
    if (!reason.trim()) {
      setProblem("Enter a reason for the other staff.");
      return;
    }
    try {
      await stopping.mutateAsync(reason);
      setReason("");
      showSuccess("Scheduler stopped", "Specials past their deadline will wait.");
    } catch (failure) {
      fail("Failed to Stop Scheduler", failure);
    }
  }

  function fail(title: string, failure: unknown) {
    const sentence = sentenceFor(failure, FAILED);
    setProblem(sentence);
    showError(title, sentence);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    setProblem("");
    void (status.isRunning ? stop() : start());
  }

  return (
    <section className="card" aria-labelledby="scheduler">
      <form className="card-body stack rhythm-4" noValidate onSubmit={submit}>
        <div className="cluster">
          <h2 id="scheduler">Scheduler</h2>
          <Badge tone={status.isRunning ? "herb" : "berry"}>
            {status.isRunning ? "Running" : "Stopped"}
          </Badge>
        </div>
        <p aria-live="polite">
          {status.isRunning && status.nextRun
            ? `Next run: ${formatMoment(status.nextRun)}.`
            : "Nothing is settled automatically. Specials past their deadline wait."}
        </p>
        <NumberInput
          label="Interval in minutes"
          hint={`From ${LEAST} to ${MOST}. Stop the scheduler to change it.`}
          min={LEAST}
          max={MOST}
          value={interval}
          disabled={status.isRunning}
          error={status.isRunning ? undefined : problem}
          onChange={(event) => setInterval(event.target.value)}
        />
        {status.isRunning && (
          <TextInput
            label="Why stop it?"
            hint="Other staff see it on every page."
            maxLength={255}
            value={reason}
            error={problem}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        {status.isRunning ? (
          <Button type="submit" variant="danger" className="self-start" busy={stopping.isPending}>
            {stopping.isPending ? "Stopping…" : "Stop scheduler"}
          </Button>
        ) : (
          <Button type="submit" variant="primary" className="self-start" busy={starting.isPending}>
            {starting.isPending ? "Starting…" : "Start scheduler"}
          </Button>
        )}
      </form>
    </section>
  );
}
