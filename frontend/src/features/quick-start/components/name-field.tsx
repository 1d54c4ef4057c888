import { TextInput } from "@/ui/inputs";
import { useRename } from "../hooks/use-rename";

const clock = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });

interface NameFieldProps {
  name: string;
  onSaved: (name: string) => void;
}

/** The restaurant's name; it saves itself and says so. */
export function NameField({ name, onSaved }: NameFieldProps) {
  const { typed, setTyped, leave, problem, savedAt, saving } = useRename(name, onSaved);
  return (
    <div className="stack rhythm-1">
      <TextInput
        label="Restaurant name"
        autoComplete="organization"
        maxLength={255}
        value={typed}
        error={problem || undefined}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => void leave()}
      />
      <p className="small muted min-h-5" role="status">
        {saving
          ? "Saving..."
          : savedAt && !problem && `All changes saved at ${clock.format(savedAt)}`}
      </p>
    </div>
  );
}
