import type { Role } from "@/api/types";

/** The roles, the smallest first, in the words of someone who has to choose one. */
export const roles: { value: Role; label: string; may: string }[] = [
  { value: "kitchen", label: "Kitchen", may: "Sees specials and manages pickup." },
  { value: "manager", label: "Manager", may: "Publishes specials and manages orders." },
  {
    value: "owner",
    label: "Owner",
    may: "Everything, including payments, settings and the team.",
  },
];

export const roleLabel = (role: Role) => roles.find(({ value }) => value === role)?.label ?? role;

export const roleMay = (role: Role) => roles.find(({ value }) => value === role)?.may ?? "";
