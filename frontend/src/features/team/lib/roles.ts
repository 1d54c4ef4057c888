import type { Role } from "@/api/types";

/** The roles, the smallest first, in the words of someone who has to choose one. */
export const roles: { value: Role; label: string; description: string }[] = [
  { value: "kitchen", label: "Kitchen", description: "Sees specials and manages pickup." },
  { value: "manager", label: "Manager", description: "Publishes specials and manages orders." },
  {
    value: "owner",
    label: "Owner",
    description: "Everything, including payments, settings, and the team.",
  },
];

export const roleLabel = (role: Role) => roles.find(({ value }) => value === role)?.label ?? role;

export const roleDescription = (role: Role) =>
  roles.find(({ value }) => value === role)?.description ?? "";
