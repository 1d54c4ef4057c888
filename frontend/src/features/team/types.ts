export type Role = "owner" | "manager" | "kitchen";

export interface Member {
  id: string;
  name: string;
  email: string;
  role: Role;
}

export interface Invitation {
  id: string;
  email: string;
  role: Role;
  expiresAt: string;
}

export interface Team {
  members: Member[];
  invitations: Invitation[];
}

/** What the link of a letter invites to. */
export interface Invited {
  restaurantName: string;
  email: string;
  role: Role;
  expiresAt: string;
  hasAccount: boolean;
}
