import { useState } from "react";
import type { ListedUser, LogEntry } from "@/api/types";
import { SystemLogs } from "./system-logs";
import { UserForm } from "./user-form";
import { UserList } from "./user-list";

interface PlatformAdminProps {
  /** The signed-in person's id. */
  me: string;
  users: ListedUser[];
  /** How many accounts there are in all. */
  total: number;
  entries: LogEntry[];
}

/** User administration and the system log. */
export function PlatformAdmin({ me, users, total, entries }: PlatformAdminProps) {
  const [editing, setEditing] = useState<ListedUser | null>(null);
  const done = () => setEditing(null);

  return (
    <div className="stack rhythm-6">
      <section className="stack rhythm-3" id="database" aria-labelledby="database-heading">
        <h2 id="database-heading">Data Management</h2>
        <div className="user-administration">
          <UserForm editing={editing} onDone={done} />
          <UserList
            me={me}
            initial={{ users, total }}
            onEdit={setEditing}
            onDeleted={(id) => editing?.id === id && done()}
          />
        </div>
      </section>
      <SystemLogs initial={entries} />
    </div>
  );
}
