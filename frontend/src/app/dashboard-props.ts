import type {
  Dish,
  History,
  HistoryEntry,
  LedgerByOrder,
  OrderPage,
  Places,
  Profile,
  Special,
  Today,
} from "@/api/types";
import type {
  DashboardLinks,
  DashboardPerson,
  DashboardRestaurant,
  Rights,
} from "@/features/dashboard/types";
import type { OwnerSetupProps } from "./owner-setup";

export interface DashboardProps {
  restaurant: DashboardRestaurant;
  specials?: Special[];
  /** What the member's role can do, by the names of the rights. */
  permissions: Rights;
  dishes?: Dish[];
  /** The first page of the orders, if their tab was requested. */
  orders?: OrderPage;
  ledger?: LedgerByOrder;
  /** The first page of the past specials, if their tab was requested. */
  history?: History;
  /** What the settings and marketing tabs show, if one of them was requested. */
  profile?: Profile;
  places?: Places;
  /** A past special whose form is to open (`?again=`), filled for its next weekday. */
  again?: HistoryEntry | null;
  tab?: string;
  failedPayments?: number;
  /** How specials just ended, and the money for those who see it. */
  today: Today;
  /** Whether anything has changed since; see `useLive`. */
  version?: string;
  person: DashboardPerson;
  links: DashboardLinks;
  /** The remaining setup steps, for members who can complete them. */
  setup: OwnerSetupProps["setup"] | null;
}
