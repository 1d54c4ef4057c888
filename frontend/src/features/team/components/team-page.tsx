import { type ReactNode, useState } from "react";
import type { Invitation, Member, Role, Team } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { formatDay } from "@/lib/times";
import { Button } from "@/ui/button";
import { showError, showSuccess } from "@/ui/toaster";
import { useChangeRole } from "../api/change-role";
import { useTeam } from "../api/get-team";
import { useRemove } from "../api/remove-member";
import { useRevoke } from "../api/revoke-invitation";
import { roleLabel, roles } from "../lib/roles";
import { InviteForm } from "./invite-form";

interface TeamPageProps {
  restaurantName: string;
  /** The signed-in person's id. */
  me: string;
  team: Team;
  dashboardUrl: string;
}

/** The team of the restaurant: roles, invitations, and revoking them. */
export function TeamPage({ restaurantName, me, team: initial, dashboardUrl }: TeamPageProps) {
  const team = useTeam(initial);
  const [problem, setProblem] = useState<ReactNode>("");
  const remove = useRemove();
  const revoke = useRevoke();
  const changeRole = useChangeRole();
  const busy = remove.isPending || revoke.isPending || changeRole.isPending;

  async function attempt(work: () => Promise<unknown>, done: string) {
    setProblem("");
    try {
      await work();
      showSuccess(done);
    } catch (failure) {
      const sentence = sentenceFor(failure, "We couldn't save that. Try again.");
      setProblem(sentence);
      showError("Error", sentence);
    }
  }

  function removeMember({ id, name, email }: Member) {
    const isMe = id === me;
    const question = isMe
      ? `Leave ${restaurantName}? You'll no longer see its specials and orders.`
      : `Remove ${name || email} from ${restaurantName}? They lose access right away.`;
    if (!window.confirm(question)) return;
    void attempt(
      async () => {
        await remove.mutateAsync(id);
        if (isMe) location.assign(dashboardUrl);
      },
      `${name || email} was removed`,
    );
  }

  function revokeInvitation({ id, email }: Invitation) {
    if (!window.confirm(`Revoke the invitation for ${email}? Its link will stop working.`)) return;
    void attempt(() => revoke.mutateAsync(id), `The invitation for ${email} was revoked`);
  }

  return (
    <div className="stack mx-auto max-w-[48rem] rhythm-10">
      <div className="stack rhythm-2">
        <p className="eyebrow">{restaurantName}</p>
        <h1>Team</h1>
        <p className="muted">
          Everyone signs in with their own account. Changes take effect right away.
        </p>
      </div>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <section aria-labelledby="members" className="stack">
        <h2 id="members">People</h2>
        <ul className="rows">
          {team.members.map((member) => (
            <li key={member.id} className="sm:flex-nowrap!">
              <div className="min-w-0">
                <p className="font-semibold break-words">
                  {member.name || member.email}
                  {member.id === me && <span className="muted font-normal"> (you)</span>}
                </p>
                <p className="small muted break-all">{member.email}</p>
              </div>
              <div className="rows-actions shrink-0">
                <select
                  className="control w-auto!"
                  aria-label={`Role for ${member.name || member.email}`}
                  value={member.role}
                  disabled={busy}
                  onChange={(event) => {
                    const role = event.target.value as Role;
                    void attempt(
                      () => changeRole.mutateAsync({ id: member.id, role }),
                      `${member.name || member.email} is ${roleLabel(role).toLowerCase()} now`,
                    );
                  }}
                >
                  {roles.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
                <Button
                  size="small"
                  variant="quiet"
                  disabled={busy}
                  onClick={() => removeMember(member)}
                  aria-label={
                    member.id === me ? undefined : `Remove ${member.name || member.email}`
                  }
                >
                  {member.id === me ? "Leave" : "Remove"}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </section>
      {team.invitations.length > 0 && (
        <section aria-labelledby="invited" className="stack">
          <h2 id="invited">Invited</h2>
          <ul className="rows">
            {team.invitations.map((invitation) => (
              <li key={invitation.id} className="sm:flex-nowrap!">
                <div className="min-w-0">
                  <p className="font-semibold break-all">{invitation.email}</p>
                  <p className="small muted">
                    {roleLabel(invitation.role)}, valid until {formatDay(invitation.expiresAt)}
                  </p>
                </div>
                <div className="rows-actions shrink-0">
                  <Button
                    size="small"
                    variant="quiet"
                    disabled={busy}
                    aria-label={`Revoke the invitation for ${invitation.email}`}
                    onClick={() => revokeInvitation(invitation)}
                  >
                    Revoke
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      <InviteForm />
    </div>
  );
}
