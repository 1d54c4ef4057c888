import { Plus, Scissors, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { OwnSlot, OwnSlots } from "@/api/types";
import { editedMeanwhile } from "@/lib/merge-edits";
import { sentenceFor } from "@/lib/server-errors";
import { formatDay } from "@/lib/times";
import { Button } from "@/ui/button";
import { NumberInput, TextInput } from "@/ui/inputs";
import { SkeletonRows } from "@/ui/skeleton";
import { showSuccess } from "@/ui/toaster";
import { useSlots } from "../api/get-slots";
import { useSaveSlots } from "../api/save-slots";
import { nextRow, rowOf, type SlotRow, slotInputs, splitSpan } from "../lib/slots";

interface SlotsEditorProps {
  offerId: string;
  /** 'YYYY-MM-DD', the day in the restaurant's zone. */
  serveDay: string;
  timeZone: string;
  canEdit: boolean;
}

/** When guests can pick up their portions, and how many portions at a time. */
export function SlotsEditor(props: SlotsEditorProps) {
  const slots = useSlots(props.offerId);
  return (
    <section className="stack" aria-labelledby="slots-title">
      <div>
        <h2 id="slots-title">Pickup times</h2>
        <p className="small muted">
          For {formatDay(props.serveDay)}, in your restaurant's time zone. With no times set, guests
          can come anytime that day.
        </p>
      </div>
      {slots.isPending && <SkeletonRows rows={1} label="Loading pickup times" />}
      {slots.isError && (
        <div className="stack rhythm-2">
          <p className="error">{sentenceFor(slots.error, "We couldn't load the pickup times.")}</p>
          <Button size="small" className="self-start" onClick={() => slots.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {slots.data &&
        (props.canEdit ? (
          <Editor {...props} saved={slots.data} />
        ) : (
          <SlotList slots={slots.data.slots} />
        ))}
    </section>
  );
}

function SlotList({ slots }: { slots: OwnSlot[] }) {
  if (slots.length === 0) return <p className="muted">No pickup times set.</p>;
  return (
    <ul className="rows">
      {slots.map((slot) => (
        <li key={slot.id}>
          <strong>{slot.label}</strong>
          <span className="small muted">
            {slot.taken} ordered{slot.capacity !== null && ` of ${slot.capacity}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Editor({ offerId, serveDay, timeZone, saved }: SlotsEditorProps & { saved: OwnSlots }) {
  const asSaved = () => saved.slots.map((slot) => rowOf(slot, timeZone));
  const [rows, setRows] = useState(asSaved);
  const [version, setVersion] = useState(saved.version);
  const [changed, setChanged] = useState(false);
  const [splitting, setSplitting] = useState(false);
  const [problem, setProblem] = useState<ReactNode>("");
  const save = useSaveSlots(offerId);

  function edit(next: SlotRow[]) {
    setRows(next);
    setChanged(true);
    setProblem("");
  }

  function set(key: number, part: Partial<SlotRow>) {
    edit(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  }

  async function submit() {
    if (rows.some(({ from, to }) => !from || !to)) {
      setProblem("Enter a start and an end for each pickup time, or remove it.");
      return;
    }
    setProblem("");
    try {
      const slots = slotInputs(rows, serveDay);
      const stored = await save.mutateAsync({ slots, version });
      setRows(stored.slots.map((slot) => rowOf(slot, timeZone)));
      setVersion(stored.version);
      setChanged(false);
      showSuccess("Pickup times saved");
    } catch (failure) {
      const current = editedMeanwhile<OwnSlots>(failure);
      if (!current) {
        return setProblem(sentenceFor(failure, "We couldn't save the pickup times. Try again."));
      }
      setVersion(current.version);
      setProblem(<Theirs slots={current.slots} />);
    }
  }

  return (
    <form
      noValidate
      className="stack"
      aria-labelledby="slots-title"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) void submit();
      }}
    >
      {rows.length > 0 && (
        <ul className="rows">
          {rows.map((row, index) => (
            <li key={row.key} className="items-end!">
              <div className="slot-fields">
                <TextInput
                  type="time"
                  label="From"
                  aria-label={`Time ${index + 1} from`}
                  value={row.from}
                  disabled={row.taken > 0}
                  onChange={(event) => set(row.key, { from: event.target.value })}
                />
                <TextInput
                  type="time"
                  label="To"
                  aria-label={`Time ${index + 1} to`}
                  value={row.to}
                  disabled={row.taken > 0}
                  onChange={(event) => set(row.key, { to: event.target.value })}
                />
                <NumberInput
                  label="Portions"
                  aria-label={`Time ${index + 1} portions`}
                  placeholder="No limit"
                  min={Math.max(1, row.taken)}
                  value={row.capacity}
                  onChange={(event) => set(row.key, { capacity: event.target.value })}
                />
              </div>
              {row.taken > 0 ? (
                <p className="small muted pb-2">{row.taken} ordered</p>
              ) : (
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={`Remove time ${index + 1}`}
                  onClick={() => edit(rows.filter(({ key }) => key !== row.key))}
                >
                  <Trash2 size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {splitting && (
        <Split
          onSplit={(more) => {
            edit([...rows, ...more]);
            setSplitting(false);
          }}
          onCancel={() => setSplitting(false)}
        />
      )}
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <div className="cluster">
        <Button size="small" onClick={() => edit([...rows, nextRow(rows)])}>
          <Plus size="1rem" strokeWidth={1.5} aria-hidden="true" />
          Add time
        </Button>
        {!splitting && (
          <Button size="small" onClick={() => setSplitting(true)}>
            <Scissors size="1rem" strokeWidth={1.5} aria-hidden="true" />
            Create time slots
          </Button>
        )}
        {changed && (
          <>
            <Button size="small" variant="primary" type="submit" busy={save.isPending}>
              Save pickup times
            </Button>
            <Button
              size="small"
              variant="quiet"
              onClick={() => {
                setRows(asSaved());
                setVersion(saved.version);
                setChanged(false);
                setProblem("");
              }}
            >
              Discard
            </Button>
          </>
        )}
      </div>
    </form>
  );
}

/** What somebody else saved while the times were being edited here. */
function Theirs({ slots }: { slots: OwnSlot[] }) {
  const times = slots.map(({ label, capacity }) =>
    capacity === null ? label : `${label} (${capacity} portions)`,
  );
  return (
    <>
      Someone changed the pickup times while you had them open. Your changes aren't saved yet. Saved
      now: {times.join(", ") || "no times"}. Save pickup times to replace them with yours, or
      discard yours.
    </>
  );
}

/** Adds a whole evening at once: from, to, and the minutes of each slot. */
function Split({
  onSplit,
  onCancel,
}: {
  onSplit: (rows: SlotRow[]) => void;
  onCancel: () => void;
}) {
  const [from, setFrom] = useState("17:00");
  const [to, setTo] = useState("20:00");
  const [minutes, setMinutes] = useState("30");
  const [capacity, setCapacity] = useState("");
  const rows = splitSpan(from, to, Number(minutes), capacity);
  const enough = rows.length > 0;
  return (
    <fieldset className="stack rounded-xl bg-sunken p-4">
      <legend className="sr-only">Create pickup times from a range</legend>
      <div className="slot-fields slot-fields-four">
        <TextInput
          type="time"
          label="From"
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextInput
          type="time"
          label="To"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        <NumberInput
          label="Minutes each"
          min={5}
          value={minutes}
          onChange={(event) => setMinutes(event.target.value)}
        />
        <NumberInput
          label="Portions each"
          placeholder="No limit"
          min={1}
          value={capacity}
          onChange={(event) => setCapacity(event.target.value)}
        />
      </div>
      <div className="cluster">
        <Button size="small" disabled={!enough} onClick={() => onSplit(rows)}>
          {enough ? `Add ${rows.length} ${rows.length === 1 ? "time" : "times"}` : "Add times"}
        </Button>
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <p className="small muted" role="status">
          {enough ? "" : "This range is shorter than one slot."}
        </p>
      </div>
    </fieldset>
  );
}
