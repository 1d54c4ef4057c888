import { X } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { EmbedSites as Saved } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { TextInput } from "@/ui/inputs";
import { showSuccess } from "@/ui/toaster";
import { changeEmbedSites } from "../api/save-embed-sites";

/** The sites that may show the specials; others get an empty frame. */
export function EmbedSites({ saved }: { saved: Saved }) {
  const id = useId();
  const [stored, setStored] = useState(saved);
  const { sites } = stored;
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<ReactNode>("");
  const [isBusy, setIsBusy] = useState(false);

  async function save(change: (sites: string[]) => string[], done: string) {
    setIsBusy(true);
    setProblem("");
    try {
      setStored(await changeEmbedSites(stored, change));
      showSuccess(done);
      return true;
    } catch (failure) {
      setProblem(sentenceFor(failure, "The site wasn't saved. Try again."));
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  async function add(event: FormEvent) {
    event.preventDefault();
    if (!typed.trim()) return setProblem("Enter your site's address, such as www.example.com.");
    if (await save((present) => [...present, typed], "Site added")) setTyped("");
  }

  return (
    <section className="stack" aria-labelledby={`${id}-sites`}>
      <div>
        <h2 id={`${id}-sites`} className="text-[length:var(--text-title-3)]">
          Your sites
        </h2>
        <p className="muted">Only the sites you list here can show your specials.</p>
      </div>
      {sites.length > 0 ? (
        <ul className="stack rhythm-2">
          {sites.map((site) => (
            <li key={site} className="flex items-center justify-between gap-3">
              <span className="min-w-0 break-words">{site}</span>
              <Button
                variant="quiet"
                size="small"
                disabled={isBusy}
                aria-label={`Remove ${site}`}
                onClick={() =>
                  void save((present) => present.filter((each) => each !== site), "Site removed")
                }
              >
                <X aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="notice notice-honey">
          <span>No sites yet. Add yours, or the frame stays empty.</span>
        </p>
      )}
      <form noValidate className="flex items-end gap-3" onSubmit={(event) => void add(event)}>
        <div className="grow">
          <TextInput
            label="Add a site"
            inputMode="url"
            autoComplete="off"
            placeholder="www.example.com"
            value={typed}
            error={problem}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit" disabled={isBusy}>
          Add
        </Button>
      </form>
    </section>
  );
}
