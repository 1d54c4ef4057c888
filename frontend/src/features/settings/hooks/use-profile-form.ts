import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import type { Profile } from "@/api/types";
import { editedMeanwhile } from "@/lib/merge-edits";
import { sentenceFor } from "@/lib/server-errors";
import { showError } from "@/ui/toaster";
import { useSaveProfile } from "../api/save-profile";
import {
  isSame,
  mergeProfiles,
  type ProfileField,
  type ProfileValues,
  profileBody,
  profileFields,
  profileValues,
  validateField,
} from "../lib/profile-form";

/** Where unsaved text is stored while its tab is closed. */
const draftKey = ["profile-draft"];
const FAILED = "Failed to update profile. Please try again.";

/** The status of saving, with the time of the last success. */
export type SaveState =
  | { kind: "idle" }
  | { kind: "saving" }
  | { kind: "saved"; at: Date }
  | { kind: "failed"; sentence: ReactNode };

type FieldErrors = Partial<Record<ProfileField, string>>;

export interface ProfileForm {
  values: ProfileValues;
  errors: FieldErrors;
  state: SaveState;
  /** What somebody else saved in fields that were changed here too: nothing is sent of these. */
  conflicts: Partial<ProfileValues>;
  /** Ends a conflict and saves. */
  settle: (field: ProfileField, whose: "mine" | "theirs") => void;
  /** Several fields at once where they belong together. */
  change: (values: Partial<ProfileValues>) => void;
  /** Leaving a field: says what is wrong with it and saves whatever has changed. */
  leave: (field: ProfileField) => void;
  /** Resolves with whether everything is saved. */
  saveAll: () => Promise<boolean>;
}

/**
 * A profile that saves each field when it is left. Only fields that were changed are sent, so
 * that a colleague's changes stay; one request is under way at a time. What could not be sent stays
 * as typed and goes with the next field that is left, or when the connection is back.
 */
export function useProfileForm(profile: Profile): ProfileForm {
  const save = useSaveProfile();
  const queries = useQueryClient();
  const [values, setValues] = useState(() => ({
    ...profileValues(profile),
    ...queries.getQueryData<Partial<ProfileValues>>(draftKey),
  }));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [state, setState] = useState<SaveState>({ kind: "idle" });
  const typed = useRef(values);
  const stored = useRef(profileValues(profile));
  const version = useRef(profile.version);
  const refused = useRef<Partial<ProfileValues>>({});
  const contested = useRef<Partial<ProfileValues>>({});
  const [conflicts, setConflicts] = useState(contested.current);
  const running = useRef<Promise<boolean> | null>(null);

  const show = useCallback(
    (next: ProfileValues) => {
      typed.current = next;
      setValues(next);
      const unsaved = profileFields.filter((field) => !isSame(next[field], stored.current[field]));
      queries.setQueryData(
        draftKey,
        Object.fromEntries(unsaved.map((field) => [field, next[field]])),
      );
    },
    [queries],
  );

  const isUnsaved = useCallback(
    (field: ProfileField) => !isSame(typed.current[field], stored.current[field]),
    [],
  );

  /** Takes over what the server has, except where someone has typed on meanwhile. */
  const adopt = useCallback(
    (answer: Profile, sent: Partial<ProfileValues>) => {
      const next = profileValues(answer);
      const merged = { ...typed.current };
      for (const field of profileFields) {
        const before = sent[field] ?? stored.current[field];
        if (isSame(typed.current[field], before)) Object.assign(merged, { [field]: next[field] });
      }
      stored.current = next;
      version.current = answer.version;
      show(merged);
    },
    [show],
  );

  const contest = useCallback((next: Partial<ProfileValues>) => {
    contested.current = next;
    setConflicts(next);
  }, []);

  /** Somebody saved first: theirs where nothing was typed here, and a question where it was. */
  const meet = useCallback(
    (current: Profile) => {
      const theirs = profileValues(current);
      const merged = mergeProfiles(stored.current, theirs, typed.current);
      const both = merged.contested.map((field) => [field, theirs[field]]);
      stored.current = theirs;
      version.current = current.version;
      show(merged.values);
      contest({ ...contested.current, ...Object.fromEntries(both) });
    },
    [show, contest],
  );

  /** Sends what has changed until nothing is left to send. */
  const flush = useCallback(async (): Promise<boolean> => {
    for (;;) {
      const sending = profileFields.filter((field) => {
        const value = typed.current[field];
        if (!isUnsaved(field) || field in contested.current) return false;
        return !validateField(field, value) && refused.current[field] !== value;
      });
      if (sending.length === 0) return !profileFields.some(isUnsaved);
      const sent = Object.fromEntries(sending.map((field) => [field, typed.current[field]]));
      setState({ kind: "saving" });
      try {
        const body = { ...profileBody(typed.current, sending), version: version.current };
        adopt(await save.mutateAsync(body), sent);
        setState({ kind: "saved", at: new Date() });
      } catch (failure) {
        const current = editedMeanwhile<Profile>(failure);
        if (current) {
          meet(current);
          setState({ kind: "idle" });
          continue;
        }
        const placed = fieldErrors(failure, sending);
        setErrors((others) => ({ ...others, ...placed }));
        for (const field of Object.keys(placed) as ProfileField[]) {
          Object.assign(refused.current, { [field]: typed.current[field] });
        }
        const sentence = sentenceFor(failure, FAILED);
        setState({ kind: "failed", sentence });
        showError("Update Failed", sentence);
        // A refused field must not keep the others from being saved.
        if (Object.keys(placed).length === 0 || Object.keys(placed).length === sending.length) {
          return false;
        }
      }
    }
  }, [adopt, meet, isUnsaved, save.mutateAsync]);

  const saveChanges = useCallback(async (): Promise<boolean> => {
    while (running.current) await running.current;
    running.current = flush().finally(() => {
      running.current = null;
    });
    return running.current;
  }, [flush]);

  useEffect(() => {
    const goOn = () => void saveChanges();
    const hold = (event: BeforeUnloadEvent) => {
      if (profileFields.some(isUnsaved)) event.preventDefault();
    };
    window.addEventListener("online", goOn);
    window.addEventListener("beforeunload", hold);
    return () => {
      window.removeEventListener("online", goOn);
      window.removeEventListener("beforeunload", hold);
    };
  }, [saveChanges, isUnsaved]);

  return {
    values,
    errors,
    state,
    conflicts,
    settle: (field, whose) => {
      const { [field]: theirs, ...others } = contested.current;
      contest(others);
      if (whose === "theirs") show({ ...typed.current, [field]: theirs });
      void saveChanges();
    },
    change: (changed) => {
      show({ ...typed.current, ...changed });
      setErrors((others) => {
        const left = { ...others };
        for (const field of Object.keys(changed) as ProfileField[]) delete left[field];
        return left;
      });
    },
    leave: (field) => {
      const error = validateField(field, typed.current[field]);
      setErrors((others) => ({ ...others, [field]: error ?? others[field] }));
      void saveChanges();
    },
    saveAll: async () => {
      setErrors(currentErrors(typed.current));
      refused.current = {};
      return saveChanges();
    },
  };
}

function currentErrors(values: ProfileValues): FieldErrors {
  return Object.fromEntries(
    profileFields.flatMap((field) => {
      const error = validateField(field, values[field]);
      return error ? [[field, error]] : [];
    }),
  );
}

/** The server's errors of the fields that were sent. */
function fieldErrors(failure: unknown, sending: ProfileField[]): FieldErrors {
  if (!(failure instanceof ApiError)) return {};
  const known = failure.errors.filter(({ field }) => sending.includes(field as ProfileField));
  return Object.fromEntries(known.map(({ field, message }) => [field, message]));
}
