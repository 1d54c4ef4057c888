import type { SeatsState } from "@/lib/seats";

/** A special offer as the API shows it everywhere. Money is a decimal string. */
export interface Special {
  id: string;
  name: string;
  description: string;
  price: string;
  regularPrice: string;
  specialOfferPrice: string;
  /** Noon of the serve day with the restaurant's offset; the first ten characters are the day. */
  specialServeDate: string;
  preorderExpiresAt: string;
  minPreordersRequired: number;
  maxPreorders: number | null;
  maxPerOrder: number;
  hasAlternative: boolean;
  alternativeDishId: string | null;
  alternativeDishName: string | null;
  imageUrl: string | null;
  imageSrcset: string | null;
  currentPreorders: number;
  status: "active" | "expired" | "deleted";
  isActive: boolean;
  wasSuccessful: boolean | null;
  seatsSentence: string;
  seatsState: SeatsState;
  shareableUrl: string;
  timezone: string;
  hasPreorders: boolean;
}

/** A dish of the regular menu. */
export interface Dish {
  id: string;
  name: string;
  price: string;
}

export interface Order {
  id: string;
  /** The last eight characters of the id, upper case: what a diner reads out. */
  code: string;
  offerId: string;
  offerName: string;
  customerName: string;
  customerEmail: string;
  customerPhone: string;
  quantity: number;
  totalAmount: string;
  status: string;
  paymentStatus: string;
  /** The payment's state in words. */
  paymentLabel: string;
  createdAt: string;
}

export interface OrderPage {
  orders: Order[];
  nextCursor: string | null;
}

export interface LedgerEntry {
  id: string;
  processedAt: string | null;
  type: string;
  label: string;
  amount: string;
  offerName: string;
  orderCode: string;
  status: string;
}

export interface Ledger {
  entries: LedgerEntry[];
  totals: {
    captured: string;
    platformFees: string;
    processingFees: string;
    refunded: string;
    payout: string;
  };
}
