import type { Role } from "@/api/types";

/** The roles, the smallest first, in the words of somebody who has to choose one. */
export const roles: { value: Role; label: string; may: string }[] = [
  { value: "kitchen", label: "Kitchen", may: "Sees the specials and hands out orders." },
  { value: "manager", label: "Manager", may: "Publishes specials and looks after the orders." },
  {
    value: "owner",
    label: "Owner",
    may: "Everything: payments, settings and the team as well.",
  },
];

export const roleLabel = (role: Role) => roles.find(({ value }) => value === role)?.label ?? role;

export const roleMay = (role: Role) => roles.find(({ value }) => value === role)?.may ?? "";
