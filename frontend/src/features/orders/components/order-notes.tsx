import { useState } from "react";
import type { Order } from "@/api/types";
import { Button } from "@/ui/button";
import { TextArea } from "@/ui/inputs";
import { useOrderActions } from "../hooks/use-order-actions";

/** Adds a note to an order; notes appear in its activity. */
export function NoteForm({ order }: { order: Order }) {
  const [text, setText] = useState("");
  const { run, doing, problem } = useOrderActions(order.id);

  async function save() {
    const note = text.trim();
    if (note && (await run({ action: "notes", text: note }, order))) setText("");
  }

  return (
    <form
      className="order-notes stack rhythm-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextArea
        label="Add a note"
        hint="For your team. Guests never see it."
        rows={2}
        maxLength={1000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <Button
        type="submit"
        size="small"
        className="self-start"
        busy={doing !== null}
        disabled={!text.trim()}
      >
        Save note
      </Button>
    </form>
  );
}
