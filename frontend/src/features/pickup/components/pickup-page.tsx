import { ArrowLeft, Check, Volume2, VolumeX } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLive } from "@/lib/use-live";
import { Button, ButtonLink } from "@/ui/button";
import { useDevice } from "../hooks/use-device";
import { usePickup } from "../hooks/use-pickup";
import { storePageForOffline } from "../lib/offline-page";
import { saveSignals, signal, signalsWanted } from "../lib/signals";
import { verdictLooks } from "../lib/verdicts";
import type { DayCount } from "../types";
import { Camera } from "./camera";
import { DeviceStatus, OfflineList } from "./device-status";
import { Recent } from "./recent";
import { VerdictPanel } from "./verdict";

interface PickupPageProps {
  restaurantName: string;
  today: DayCount;
  /** The orders of today, for a guest who has neither code nor phone. */
  listUrl: string;
  dashboardUrl: string;
  version: string;
  /** Who is signed in; the day's list on this device is theirs. */
  person: string;
  timeZone: string;
}

/**
 * /restaurant/pickup, for the door: a scan or a code, the verdict, one button, and the next guest.
 */
export function PickupPage({
  restaurantName,
  today,
  listUrl,
  dashboardUrl,
  version,
  person,
  timeZone,
}: PickupPageProps) {
  const device = useDevice(person, timeZone);
  const { stage, recent, count, show, scan, give, undo, next, recount } = usePickup(today, device);
  const [signals, setSignals] = useState(signalsWanted);
  const live = useLive(version);

  // Someone else fulfills too, or an order came in.
  useEffect(() => {
    if (live.version && live.version !== version) recount();
  }, [live.version, version, recount]);

  useEffect(storePageForOffline, []);

  // Back online, or something changed: send what waits, and read the day again.
  const { sync } = device;
  useEffect(() => {
    if (live.connection === "on" && live.version) void sync();
  }, [live.connection, live.version, sync]);

  useEffect(() => {
    if (!signals) return;
    if (stage.at === "handed") signal(true, [40]);
    if (stage.at === "found" && !stage.busy && !stage.problem) {
      signal(stage.found.verdict === "ready", verdictLooks[stage.found.verdict].buzz);
    }
  }, [stage, signals]);

  return (
    <div className="pickup">
      <header className="pickup-head">
        <ButtonLink
          size="small"
          variant="quiet"
          href={dashboardUrl}
          aria-label="Back to Dashboard"
          className="-ml-3"
        >
          <ArrowLeft size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
        </ButtonLink>
        <div className="min-w-0 flex-1">
          <h1>Pickup</h1>
          <p className="eyebrow break-words">{restaurantName}</p>
        </div>
        <Button
          size="small"
          variant="quiet"
          aria-pressed={signals}
          aria-label="Sound and vibration"
          className="-mr-2"
          onClick={() => {
            saveSignals(!signals);
            setSignals(!signals);
          }}
        >
          {signals ? (
            <Volume2 size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
          ) : (
            <VolumeX size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
          )}
        </Button>
      </header>
      <Progress count={count} />
      <div className="pickup-stage">
        <Camera onCode={scan} />
        {stage.at === "looking" && (
          <div className="verdict" data-tone="plain" role="status">
            <p className="verdict-text">Looking up…</p>
          </div>
        )}
        {stage.at === "found" && <VerdictPanel found={stage.found} />}
        {stage.at === "handed" && (
          <div className="verdict" data-tone="done" role="alert">
            <Check size="4.5rem" strokeWidth={2.5} aria-hidden="true" />
            <p className="verdict-text">Picked up</p>
            <p className="verdict-name">{stage.order.customerName}</p>
          </div>
        )}
      </div>
      <div className="pickup-actions">
        {stage.at === "found" && stage.found.verdict !== "unknown" ? (
          <Decide stage={stage} onGive={() => void give()} onNext={next} onUndo={undo} />
        ) : (
          <CodeField
            busy={stage.at === "looking"}
            problem={stage.at === "waiting" ? stage.problem : undefined}
            isWrong={stage.at === "found"}
            onCode={(code) => void show(code)}
          />
        )}
        <DeviceStatus device={device} connection={live.connection} />
      </div>
      <div className="pickup-foot stack">
        <Recent orders={recent} onUndo={undo} />
        {live.connection === "off" || live.connection === "ended" || device.signedOut ? (
          <OfflineList device={device} onChoose={(id) => void show(id)} />
        ) : (
          <p className="small muted">
            No code? <a href={listUrl}>Find the guest by name</a>
          </p>
        )}
      </div>
    </div>
  );
}

function Progress({ count }: { count: DayCount }) {
  const { orders, pickedUp, portions, portionsPickedUp } = count;
  if (orders === 0) return <p className="small muted">No pickups today.</p>;
  return (
    <div className="stack rhythm-1">
      <p className="pickup-count" role="status">
        <strong>
          {pickedUp} of {orders}
        </strong>{" "}
        picked up
        <span className="muted small">
          {" "}
          · {portionsPickedUp} of {portions} portions
        </span>
      </p>
      <progress className="pickup-bar" value={pickedUp} max={orders} aria-hidden="true" />
    </div>
  );
}

interface CodeFieldProps {
  busy: boolean;
  problem: string | undefined;
  /** No order has the code that was typed: it stays, to be corrected. */
  isWrong: boolean;
  onCode: (code: string) => void;
}

/** The code from a guest's email. A hand scanner types the QR code's whole text into it. */
function CodeField({ busy, problem, isWrong, onCode }: CodeFieldProps) {
  const [code, setCode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  // Focus the field, but not on a phone, where the keyboard would cover the camera.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) input.current?.focus();
  }, []);
  useEffect(() => {
    if (isWrong) input.current?.select();
  }, [isWrong]);
  return (
    <form
      className="stack rhythm-2"
      onSubmit={(event) => {
        event.preventDefault();
        onCode(code);
      }}
    >
      <label className="small font-semibold" htmlFor="pickup-code">
        Code
      </label>
      <div className="pickup-code">
        <input
          ref={input}
          id="pickup-code"
          className="control"
          value={code}
          maxLength={2048}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="search"
          aria-invalid={problem || isWrong ? true : undefined}
          aria-describedby={problem ? "pickup-problem" : undefined}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit" variant="primary" busy={busy}>
          Look up
        </Button>
      </div>
      {problem && (
        <p className="error" id="pickup-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

interface DecideProps {
  stage: Extract<ReturnType<typeof usePickup>["stage"], { at: "found" }>;
  onGive: () => void;
  onNext: () => void;
  onUndo: ReturnType<typeof usePickup>["undo"];
}

/** What can be done about the verdict: the one big button, or on to the next guest. */
function Decide({ stage, onGive, onNext, onUndo }: DecideProps) {
  const { verdict, order } = stage.found;
  const [problem, setProblem] = useState<string | null>(null);
  const first = useRef<HTMLButtonElement>(null);
  // Enter found the order; Enter again marks it picked up or moves on.
  useEffect(() => first.current?.focus(), []);
  const can = (action: "pick_up" | "undo") => order?.actions.includes(action) ?? false;
  const wrong = stage.problem ?? problem;
  return (
    <div className="stack rhythm-2">
      {wrong && (
        <p className="error" role="alert">
          {wrong}
        </p>
      )}
      {verdict === "ready" ? (
        <Button
          ref={first}
          variant="primary"
          className="pickup-confirm"
          busy={stage.busy}
          onClick={onGive}
        >
          Mark as picked up
        </Button>
      ) : (
        <Button ref={first} variant="primary" className="pickup-confirm" onClick={onNext}>
          Next guest
        </Button>
      )}
      <div className="cluster">
        {verdict === "ready" && (
          <Button variant="quiet" className="flex-1" onClick={onNext}>
            Not now
          </Button>
        )}
        {verdict === "wrong_day" && can("pick_up") && (
          <Button className="flex-1" busy={stage.busy} onClick={onGive}>
            Hand it over anyway
          </Button>
        )}
        {verdict === "picked_up" && order && can("undo") && (
          <Button
            className="flex-1"
            onClick={() => void onUndo(order).then((sentence) => setProblem(sentence))}
          >
            Undo
          </Button>
        )}
      </div>
    </div>
  );
}
