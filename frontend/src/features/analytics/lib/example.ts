import type { Analytics, AnalyticsTotals, Figures } from "@/api/types";
import { daysAfter, lastDays } from "./periods";

/** A month of an invented restaurant, shown to those whose plan has no analytics. */
const VISITS = [
  18, 25, 31, 22, 40, 64, 58, 20, 27, 35, 30, 47, 71, 66, 24, 29, 38, 33, 52, 80, 69, 26, 34, 41,
  37, 58, 88, 77, 31, 39,
]; // prettier-ignore
const PRICE = 24;

function figuresOf(views: number): Figures {
  const orders = Math.round(views / 9);
  const portions = Math.round(orders * 1.7);
  const revenue = portions * PRICE;
  return {
    views,
    orders,
    portions,
    conversion: views ? ((100 * orders) / views).toFixed(1) : null,
    revenue: revenue.toFixed(2),
    payout: (revenue * 0.9).toFixed(2),
  };
}

function sum(all: Figures[]): Figures {
  const total = (name: "views" | "orders" | "portions") =>
    all.reduce((so_far, figures) => so_far + figures[name], 0);
  const money = (name: "revenue" | "payout") =>
    all.reduce((so_far, figures) => so_far + Number(figures[name]), 0).toFixed(2);
  const [views, orders] = [total("views"), total("orders")];
  return {
    views,
    orders,
    portions: total("portions"),
    conversion: ((100 * orders) / views).toFixed(1),
    revenue: money("revenue"),
    payout: money("payout"),
  };
}

const outcomes = {
  decidedOffers: 9,
  successfulOffers: 8,
  successRate: "88.9",
  guests: 96,
  repeatGuests: 41,
  repeatRate: "42.7",
};

export function exampleAnalytics(today: string): Analytics {
  const { from, to } = lastDays(30, today);
  const series = VISITS.map((views, day) => ({
    start: daysAfter(from, day),
    figures: figuresOf(views),
  }));
  const totals: AnalyticsTotals = { figures: sum(series.map((step) => step.figures)), ...outcomes };
  const before: AnalyticsTotals = {
    figures: sum(VISITS.map((views) => figuresOf(Math.round(views * 0.8)))),
    ...outcomes,
    successRate: "80.0",
    repeatRate: "38.0",
  };
  const special = (id: string, name: string, views: number) => ({
    id,
    name,
    serveDate: daysAfter(today, -3),
    status: "expired",
    wasSuccessful: true,
    figures: figuresOf(views),
  });
  return {
    period: { first: from, last: to },
    periodBefore: { first: daysAfter(from, -30), last: daysAfter(from, -1) },
    totals,
    before,
    unit: "day",
    currency: "usd",
    series,
    offers: [
      special("1", "Osso buco, Sunday style", 410),
      special("2", "Braised lamb shank", 377),
      special("3", "Wild mushroom risotto", 232),
    ],
    offersLeftOut: 0,
  };
}
