import { type ReactNode, useEffect, useState } from "react";
import { ApiError, isSignedOut } from "@/api/client";
import type { ChosenSubdomain } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { labelErrors, labelProblem, proposeLabel } from "@/lib/slug";
import { NOT_AVAILABLE } from "../api/check-subdomain";
import { SaveTimeout, useSaveSubdomain } from "../api/save-subdomain";
import type { SetupProps } from "../types";
import { type Availability, useAvailability } from "./use-availability";

/** Why a label wasn't saved; shown only for that label. */
interface Refusal {
  label: string;
  message: ReactNode;
  suggestion?: string;
}

/** Why saving failed, for a toast. */
export interface SaveFailure {
  title: "Request timed out" | "Save failed";
  message: ReactNode;
  isSignedOut: boolean;
}

/**
 * A web address while it is typed. One that nobody chose yet is proposed from `name`, and follows it
 * until another one is typed; a proposal that is taken gives way to one that is free.
 */
export function useAddress({ restaurant, account, address }: SetupProps, name: string) {
  const [typed, setTyped] = useState<string | null>(null);
  const [instead, setInstead] = useState<{ of: string; free: string }>();
  const [refusal, setRefusal] = useState<Refusal>();
  const save = useSaveSubdomain();

  const proposal = proposalFor({ restaurant, address }, name);
  const free = instead?.of === proposal ? instead.free : proposal;
  const text = typed ?? free;
  const label = text.trim().toLowerCase();
  const problem = label ? labelProblem(labelErrors(label, address)) : "";
  const isValid = label !== "" && problem === "";
  const availability = useAvailability(label, isValid, restaurant.subdomain);
  const refused = refusal?.label === label ? refusal : undefined;

  const taken = availability.state === "unavailable" ? availability.suggestion : undefined;
  useEffect(() => {
    if (typed === null && taken && label === proposal) setInstead({ of: proposal, free: taken });
  }, [typed, taken, label, proposal]);

  /** Saves it; null once it is saved, else why not. */
  async function submit(onSaved: (saved: ChosenSubdomain) => void): Promise<SaveFailure | null> {
    setRefusal(undefined);
    try {
      onSaved(await save.mutateAsync({ subdomain: label, email: account.email }));
      return null;
    } catch (failure) {
      if (failure instanceof SaveTimeout) {
        const message = "That took too long. Check your connection and save again.";
        setRefusal({ label, message });
        return { title: "Request timed out", message, isSignedOut: false };
      }
      const message = sentenceFor(failure, NOT_AVAILABLE);
      setRefusal({ label, message, suggestion: suggestionIn(failure) });
      return { title: "Save failed", message, isSignedOut: isSignedOut(failure) };
    }
  }

  return {
    text,
    setText: setTyped,
    label,
    host: `${label}${address.suffix}`,
    suffix: address.suffix,
    isCurrent: label === restaurant.subdomain,
    availability,
    error: problem || refused?.message || messageOf(availability),
    suggestion: suggestionFor(label, refused?.suggestion ?? taken, address.reserved),
    canSave: isValid && availability.state !== "unavailable" && !save.isPending,
    isSaving: save.isPending,
    submit,
  };
}

/** The chosen address; before there is one, what follows from the name. */
function proposalFor({ restaurant, address }: Omit<SetupProps, "account">, name: string): string {
  if (address.isChosen) return restaurant.subdomain;
  if (!name.trim()) return "";
  return proposeLabel(name, address.reserved) || restaurant.subdomain;
}

export type Address = ReturnType<typeof useAddress>;

function messageOf(availability: Availability): string {
  return availability.state === "unavailable" ? availability.message : "";
}

/** The free label that comes with a conflict. */
function suggestionIn(failure: unknown): string | undefined {
  const body = failure instanceof ApiError ? failure.body : undefined;
  if (typeof body !== "object" || body === null || !("suggestion" in body)) return undefined;
  return typeof body.suggestion === "string" ? body.suggestion : undefined;
}

/** What to try instead of a label that is taken. */
function suggestionFor(label: string, idea: string | undefined, reserved: string[]): string {
  if (!idea || idea === label || labelErrors(idea, { reserved }).length > 0) return "";
  return idea;
}
