import type { Order, OrderDetail } from "@/api/types";

/** An order for tests. */
export function anOrder(change: Partial<Order> = {}): Order {
  return {
    id: "11111111-1111-4111-8111-1111abcd2345",
    code: "ABCD2345",
    offerId: "0b0c8f0e-3d3d-4a52-8a44-6a1c4b1f0001",
    offerName: "Osso buco",
    offerServeDate: "2026-11-24",
    customerName: "Maria Rossi",
    customerEmail: "maria@guests.test",
    customerPhone: "212 555 0199",
    quantity: 2,
    totalAmount: "38.88",
    refundedAmount: "0.00",
    currency: "usd",
    status: "confirmed",
    statusLabel: "Confirmed",
    paymentStatus: "captured",
    paymentLabel: "Card charged",
    source: "web",
    note: "",
    notesCount: 0,
    slot: null,
    serviceMode: "",
    party: null,
    servesAlternative: false,
    servedName: "Osso buco",
    actions: ["pick_up", "no_show", "refund", "resend", "note"],
    createdAt: "2026-11-20T12:00:00Z",
    ...change,
  };
}

export function aDetail(change: Partial<OrderDetail> = {}): OrderDetail {
  return {
    order: anOrder(),
    currency: "usd",
    money: {
      unitPrice: "18.00",
      subtotal: "36.00",
      taxRate: "8.00",
      tax: "2.88",
      total: "38.88",
      refunded: "0.00",
      disputed: "0.00",
      revenueShare: "1.08",
      processingFee: "1.43",
      payout: "36.37",
    },
    disputes: [],
    payUrl: null,
    payUntil: null,
    referredBy: null,
    referrals: [],
    linkVisits: 0,
    orderUrl: "http://luigis.localhost:8000/pre-order-confirmation?id=1",
    activity: [
      {
        at: "2026-11-20T12:05:00Z",
        text: "Card charged: $38.88",
        detail: "",
        tone: "good",
        by: "",
      },
    ],
    emails: [
      {
        kind: "confirmed",
        label: "It's on",
        number: 1,
        sentAt: "2026-11-20T12:05:10Z",
        canResend: true,
      },
    ],
    ...change,
  };
}

type Answer = [status: number, body: unknown] | "no connection";
interface Call {
  method: string;
  path: string;
  body: unknown;
}

/**
 * A `fetch` that answers by 'METHOD /path', or by the path's beginning, and records the requests.
 */
export function serving(answers: Record<string, Answer | (() => Answer)>) {
  const calls: Call[] = [];
  async function fetch(path: string, { method = "GET", body }: RequestInit = {}) {
    calls.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : undefined });
    const call = `${method} ${path}`;
    const key =
      call in answers
        ? call
        : Object.keys(answers)
            .filter((each) => call.startsWith(each))
            .sort((one, other) => other.length - one.length)[0];
    const found = key === undefined ? undefined : answers[key];
    const answer = typeof found === "function" ? found() : found;
    if (answer === undefined) throw new Error(`Nobody answers ${call}`);
    if (answer === "no connection") throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(answer[1]), { status: answer[0] });
  }
  return { calls, fetch };
}
