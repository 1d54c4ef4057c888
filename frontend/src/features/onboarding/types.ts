/** The restaurant as the setup screens know it; the server prints it beside the island. */
interface SetupRestaurant {
  id: string;
  name: string;
  subdomain: string;
  subscriptionTier: string;
  publicUrl: string;
  country: string;
  timezone: string;
}

interface SetupAccount {
  name: string;
  email: string;
  /** Whether the account has a password; one created by confirming an email has none yet. */
  hasPassword: boolean;
}

/** Rules of web addresses that only the server knows. */
interface AddressRules {
  /** What follows the label: `.example.com`. */
  suffix: string;
  reserved: string[];
  /** Whether the restaurant chose its address; until then it has a numbered one. */
  isChosen: boolean;
}

export interface SetupProps {
  restaurant: SetupRestaurant;
  account: SetupAccount;
  address: AddressRules;
}
