import { CircleCheck, LoaderCircle } from "lucide-react";
import { useId } from "react";
import { Button } from "@/ui/button";
import type { Address } from "../hooks/use-address";

interface AddressFieldProps {
  address: Address;
  hint?: string;
}

/** The web address, checked while it is typed. */
export function AddressField({ address, hint }: AddressFieldProps) {
  const id = useId();
  const { text, setText, suffix, error, suggestion } = address;
  return (
    <div className="field">
      <label htmlFor={id}>Your web address</label>
      <div className="joined">
        <input
          id={id}
          className="control"
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-state ${id}-hint`}
        />
        <span className="joined-end" id={`${id}-suffix`}>
          {suffix}
        </span>
      </div>
      <div id={`${id}-state`} aria-live="polite" className="min-h-6">
        {error ? <p className="error">{error}</p> : <AvailabilityStatus address={address} />}
      </div>
      {suggestion && (
        <p className="cluster small">
          <span className="muted">Try</span>
          <Button size="small" onClick={() => setText(suggestion)}>
            {suggestion}
          </Button>
        </p>
      )}
      <p className="hint" id={`${id}-hint`}>
        {hint ??
          "Use 3 to 50 letters, numbers, and hyphens. Short and easy to say works best. You can change it later; the old address redirects for 30 days."}
      </p>
    </div>
  );
}

function AvailabilityStatus({ address }: { address: Address }) {
  const { availability, isCurrent, host } = address;
  if (isCurrent) {
    return (
      <p className="status-line text-herb">
        <CircleCheck size="1.125rem" strokeWidth={1.75} aria-hidden="true" />
        <span>This is your address now</span>
      </p>
    );
  }
  if (availability.state === "checking") {
    return (
      <p className="status-line muted">
        <LoaderCircle className="turning" size="1.125rem" strokeWidth={1.75} aria-hidden="true" />
        <span>Checking…</span>
      </p>
    );
  }
  if (availability.state === "available") {
    return (
      <p className="status-line text-herb">
        <CircleCheck size="1.125rem" strokeWidth={1.75} aria-hidden="true" />
        <span>{host} is available</span>
      </p>
    );
  }
  return null;
}
