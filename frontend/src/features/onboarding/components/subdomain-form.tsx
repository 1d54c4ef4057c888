import { type ReactNode, useEffect } from "react";
import type { ChosenSubdomain } from "@/api/types";
import { clearDraft, readDraft, saveDraft } from "@/lib/form-draft";
import { Button } from "@/ui/button";
import { showError } from "@/ui/toaster";
import { useAddress } from "../hooks/use-address";
import type { SetupProps } from "../types";
import { AddressField } from "./address-field";

interface SubdomainFormProps extends SetupProps {
  submitLabel: string;
  onSaved: (saved: ChosenSubdomain) => void;
  /** Shown beside the button: the link to continue without saving. */
  children?: ReactNode;
}

const DRAFT = "web_address_form";

/** Chooses the web address; one that nobody chose yet is proposed from the restaurant's name. */
export function SubdomainForm({ submitLabel, onSaved, children, ...setup }: SubdomainFormProps) {
  const address = useAddress(setup, setup.restaurant.name);

  const { setText } = address;

  // What was typed when the session turned out to have ended, once.
  useEffect(() => {
    const { label } = readDraft(DRAFT);
    if (label) setText(label);
    clearDraft(DRAFT);
  }, [setText]);

  async function submit() {
    if (!address.canSave) return;
    const failure = await address.submit(onSaved);
    if (failure?.isSignedOut) {
      saveDraft(DRAFT, { label: address.text });
      location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
    } else if (failure) {
      showError(failure.title, failure.message);
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
      <AddressField address={address} />
      <div className="wizard-actions">
        <Button
          type="submit"
          variant="primary"
          busy={address.isSaving}
          disabled={!address.canSave && !address.isSaving}
        >
          {address.isSaving ? "Saving…" : submitLabel}
        </Button>
        {children}
      </div>
    </form>
  );
}
