import { CircleCheck, LoaderCircle } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { ApiError } from "@/api/client";
import type { ChosenSubdomain } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { goToSignIn } from "@/lib/sign-in";
import { labelErrors, labelProblem, suggestLabel } from "@/lib/slug";
import { Button } from "@/ui/button";
import { showError } from "@/ui/toaster";
import { NOT_AVAILABLE } from "../api/check-subdomain";
import { SaveTimeout, useSaveSubdomain } from "../api/save-subdomain";
import { type Availability, useAvailability } from "../hooks/use-availability";
import type { SetupProps } from "../types";

interface SubdomainFormProps extends SetupProps {
  submitLabel: string;
  onSaved: (saved: ChosenSubdomain) => void;
  /** Stands beside the button: the way on without saving. */
  children?: ReactNode;
}

/** Why a label was not saved; says nothing about another one. */
interface Refusal {
  label: string;
  message: string;
  suggestion?: string;
}

/** Chooses the web address, checked while it is typed. */
export function SubdomainForm({
  restaurant,
  account,
  address,
  submitLabel,
  onSaved,
  children,
}: SubdomainFormProps) {
  const id = useId();
  const [typed, setTyped] = useState(restaurant.subdomain);
  const [refusal, setRefusal] = useState<Refusal>();
  const save = useSaveSubdomain();

  const label = typed.trim().toLowerCase();
  const problem = label ? labelProblem(labelErrors(label, address)) : "";
  const valid = label !== "" && problem === "";
  const availability = useAvailability(label, valid, restaurant.subdomain);
  const refused = refusal?.label === label ? refusal : undefined;
  const error = problem || refused?.message || messageOf(availability);
  const suggestions = suggestionsFor({
    label,
    name: restaurant.name,
    availability,
    instead: refused?.suggestion,
    reserved: address.reserved,
  });
  const disabled = !valid || availability.state === "unavailable" || save.isPending;

  async function submit() {
    if (disabled) return;
    setRefusal(undefined);
    try {
      onSaved(await save.mutateAsync({ subdomain: label, email: account.email }));
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 401) {
        goToSignIn();
        return;
      }
      if (failure instanceof SaveTimeout) {
        const message = "That took too long. Check your connection and save again.";
        setRefusal({ label, message });
        showError("Request timed out", message);
        return;
      }
      const message = sentenceFor(failure, NOT_AVAILABLE);
      setRefusal({ label, message, suggestion: suggestionIn(failure) });
      showError("Save failed", message);
    }
  }

  return (
    <form
      noValidate
      className="stack rhythm-5"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="field">
        <label htmlFor={id}>Your web address</label>
        <div className="joined">
          <input
            id={id}
            className="control"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-state ${id}-hint`}
          />
          <span className="joined-end" id={`${id}-suffix`}>
            {address.suffix}
          </span>
        </div>
        <div id={`${id}-state`} aria-live="polite" className="min-h-6">
          {error ? (
            <p className="error">{error}</p>
          ) : (
            <AvailabilityStatus
              availability={availability}
              isCurrent={label === restaurant.subdomain}
              host={`${label}${address.suffix}`}
            />
          )}
        </div>
        {suggestions.length > 0 && (
          <p className="cluster small">
            <span className="muted">Try</span>
            {suggestions.map((suggestion) => (
              <Button key={suggestion} size="small" onClick={() => setTyped(suggestion)}>
                {suggestion}
              </Button>
            ))}
          </p>
        )}
        <p className="hint" id={`${id}-hint`}>
          Use 3 to 50 letters, numbers and hyphens. Short and easy to say works best. You can change
          it later; the old address redirects for 30 days.
        </p>
      </div>
      <div className="wizard-actions">
        <Button type="submit" variant="primary" busy={save.isPending} disabled={disabled}>
          {save.isPending ? "Saving…" : submitLabel}
        </Button>
        {children}
      </div>
    </form>
  );
}

function messageOf(availability: Availability): string {
  return availability.state === "unavailable" ? availability.message : "";
}

/** The free label that comes with a conflict. */
function suggestionIn(failure: unknown): string | undefined {
  const body = failure instanceof ApiError ? failure.body : undefined;
  if (typeof body !== "object" || body === null || !("suggestion" in body)) return undefined;
  return typeof body.suggestion === "string" ? body.suggestion : undefined;
}

interface SuggestionInput {
  label: string;
  name: string;
  availability: Availability;
  /** What the server offered when it refused the label. */
  instead: string | undefined;
  reserved: string[];
}

/** What to try instead: the server's idea, else one from the restaurant's name. */
function suggestionsFor({
  label,
  name,
  availability,
  instead,
  reserved,
}: SuggestionInput): string[] {
  const idea =
    instead ??
    (availability.state === "unavailable" ? availability.suggestion : undefined) ??
    (availability.state === "unknown" ? suggestLabel(name) : undefined);
  if (!idea || idea === label || labelErrors(idea, { reserved }).length > 0) return [];
  return [idea];
}

interface AvailabilityStatusProps {
  availability: Availability;
  isCurrent: boolean;
  host: string;
}

function AvailabilityStatus({ availability, isCurrent, host }: AvailabilityStatusProps) {
  if (isCurrent) {
    return (
      <p className="status-line text-herb">
        <CircleCheck size={18} strokeWidth={1.75} aria-hidden="true" />
        <span>This is your address now</span>
      </p>
    );
  }
  if (availability.state === "checking") {
    return (
      <p className="status-line muted">
        <LoaderCircle className="turning" size={18} strokeWidth={1.75} aria-hidden="true" />
        <span>Checking…</span>
      </p>
    );
  }
  if (availability.state === "available") {
    return (
      <p className="status-line text-herb">
        <CircleCheck size={18} strokeWidth={1.75} aria-hidden="true" />
        <span>{host} is available</span>
      </p>
    );
  }
  return null;
}
