import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { ListedUser } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { Checkbox, Select, TextInput } from "@/ui/inputs";
import { showError, showSuccess } from "@/ui/toaster";
import { useCreateUser, useUpdateUser } from "../api/change-users";

interface UserFormProps {
  /** The account to edit; without one the form creates. */
  editing: ListedUser | null;
  onDone: () => void;
}

const EMPTY = { name: "", email: "", role: "", isActive: true };

/** Creates an account, or edits the one that was chosen. */
export function UserForm({ editing, onDone }: UserFormProps) {
  const [values, setValues] = useState(EMPTY);
  const [problem, setProblem] = useState<ReactNode>("");
  const create = useCreateUser();
  const update = useUpdateUser();
  const busy = create.isPending || update.isPending;

  useEffect(() => {
    setProblem("");
    setValues(editing ?? EMPTY);
    if (editing) document.getElementById("user-name")?.focus();
  }, [editing]);

  const set = (field: "name" | "email" | "role") => (event: { target: { value: string } }) =>
    setValues((former) => ({ ...former, [field]: event.target.value }));

  async function submit(event: FormEvent) {
    event.preventDefault();
    setProblem("");
    const { name, email, role } = values;
    if (!name.trim() || !email.trim() || !role) {
      setProblem("Please fill in all fields");
      return showError("Validation Error", "Please fill in all fields");
    }
    const verb = editing ? "update" : "create";
    try {
      if (editing) await update.mutateAsync({ ...values, id: editing.id });
      else await create.mutateAsync({ name, email, role });
      showSuccess("Success", `User ${verb}d successfully`);
      setValues(EMPTY);
      onDone();
    } catch (failure) {
      const sentence = sentenceFor(failure, `Failed to ${verb} user`);
      setProblem(sentence);
      showError("Error", sentence);
    }
  }

  return (
    <section className="card self-start" aria-labelledby="user-form">
      <form className="card-body stack" onSubmit={(event) => void submit(event)}>
        <h3 id="user-form">{editing ? "Edit User" : "Create New User"}</h3>
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <TextInput
          id="user-name"
          label="Name"
          autoComplete="off"
          maxLength={100}
          value={values.name}
          onChange={set("name")}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="off"
          value={values.email}
          hint={editing ? "A new email has to be confirmed, and signs them out." : undefined}
          onChange={set("email")}
        />
        <Select label="Role" value={values.role} onChange={set("role")}>
          <option value="">Choose a role</option>
          <option value="admin">Admin</option>
          <option value="user">User</option>
          <option value="editor">Editor</option>
        </Select>
        <p className="hint">
          Admins are Fully Booked staff and see every restaurant. What users and editors can do in a
          restaurant is set on its team page.
        </p>
        {editing && (
          <Checkbox
            label="Can sign in"
            checked={values.isActive}
            onChange={(event) => {
              const { checked } = event.target;
              setValues((former) => ({ ...former, isActive: checked }));
            }}
          />
        )}
        <p className="cluster">
          <Button type="submit" variant="primary" busy={busy} disabled={busy}>
            {editing ? "Update User" : "Create User"}
          </Button>
          {editing && (
            <Button type="button" onClick={onDone}>
              Cancel
            </Button>
          )}
        </p>
      </form>
    </section>
  );
}
