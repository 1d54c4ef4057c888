import { useDeferredValue, useState } from "react";
import type { ListedUser } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { TextInput } from "@/ui/inputs";
import { SkeletonRows } from "@/ui/skeleton";
import { showError, showSuccess } from "@/ui/toaster";
import { useDeleteUser } from "../api/change-users";
import { FIRST_PAGE, MOST, type Users, useUsers } from "../api/get-users";
import { toneOfRole } from "../lib/tones";

interface UserListProps {
  /** The signed-in person's id. */
  me: string;
  initial: Users;
  onEdit: (user: ListedUser) => void;
  onDeleted: (id: string) => void;
}

/** The accounts, newest first, with their roles. */
export function UserList({ me, initial, onEdit, onDeleted }: UserListProps) {
  const [typed, setTyped] = useState("");
  const search = useDeferredValue(typed.trim());
  const [limit, setLimit] = useState(FIRST_PAGE);
  const { data, isPending, isError, refetch } = useUsers(search, limit, initial);
  const remove = useDeleteUser();

  async function removeUser({ id, name, email }: ListedUser) {
    const question = `Delete the account of ${name} (${email})? They lose access right away. You can't undo this.`;
    if (!window.confirm(question)) return;
    try {
      await remove.mutateAsync(id);
      onDeleted(id);
      showSuccess("Success", "User deleted successfully");
    } catch (failure) {
      showError("Error", sentenceFor(failure, "Failed to delete user"));
    }
  }

  return (
    <section className="card" aria-labelledby="user-list">
      <div className="card-body stack">
        <div className="cluster justify-between">
          <h3 id="user-list">Users List</h3>
          {data && (
            <p role="status" className="small muted">
              {data.total === 1 ? "1 user" : `${data.total} users`}
            </p>
          )}
        </div>
        <TextInput
          label="Search by name or email"
          type="search"
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setLimit(FIRST_PAGE);
          }}
        />
        {isPending && <SkeletonRows rows={3} label="Loading users" />}
        {isError && !data && (
          <div className="stack rhythm-3" role="alert">
            <p>We couldn't load the users.</p>
            <Button onClick={() => void refetch()}>Try again</Button>
          </div>
        )}
        {data?.users.length === 0 && (
          <p className="muted">
            {search
              ? "No users match. Try fewer letters."
              : "No users found. Create your first user!"}
          </p>
        )}
        {data && data.users.length > 0 && (
          <ul className="rows">
            {data.users.map((user) => (
              <li key={user.id}>
                <div className="min-w-0 grow">
                  <p className="font-semibold break-words">
                    {user.name}
                    {user.id === me && <span className="muted font-normal"> (you)</span>}
                  </p>
                  <p className="small muted break-all">{user.email}</p>
                  <p className="cluster mt-1">
                    <Badge tone={toneOfRole(user.role)} plain>
                      {user.role.charAt(0).toUpperCase() + user.role.slice(1)}
                    </Badge>
                    {!user.isActive && <Badge tone="berry">Deactivated</Badge>}
                  </p>
                </div>
                <div className="rows-actions">
                  <Button
                    size="small"
                    aria-label={`Edit ${user.name}`}
                    onClick={() => onEdit(user)}
                  >
                    Edit
                  </Button>
                  <Button
                    size="small"
                    variant="quiet"
                    aria-label={`Delete ${user.name}`}
                    disabled={remove.isPending || user.id === me}
                    onClick={() => void removeUser(user)}
                  >
                    Delete
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
        {data && data.users.length < data.total && limit < MOST && (
          <Button onClick={() => setLimit(Math.min(MOST, limit * 2))}>Show more</Button>
        )}
        {data && data.users.length < data.total && limit >= MOST && (
          <p className="small muted">Search to find the others.</p>
        )}
      </div>
    </section>
  );
}
