import { useState } from "react";
import type { Order, OrderPage, PaymentStatus } from "@/api/types";
import { formatDecimal } from "@/lib/money";
import { formatMoment } from "@/lib/times";
import { Badge, type BadgeTone } from "@/ui/badge";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Select } from "@/ui/inputs";
import { Notice } from "@/ui/notice";
import { SkeletonRows } from "@/ui/skeleton";
import { useOrders } from "../api/list-orders";

/** Colour and icon of a payment's state; the words come from the server. */
export function paymentTone(paymentStatus: PaymentStatus): BadgeTone {
  switch (paymentStatus) {
    case "captured":
      return "herb";
    case "authorized":
    case "requires_action":
      return "honey";
    case "capture_failed":
      return "berry";
    default:
      return "other";
  }
}

interface OrderListProps {
  initial: OrderPage | undefined;
  /** The offers to choose from. */
  offers: { id: string; name: string }[];
  timeZone: string;
}

/** Who ordered what, and where each payment stands. */
export function OrderList({ initial, offers, timeZone }: OrderListProps) {
  const [offerId, setOfferId] = useState("");
  const orders = useOrders(offerId, initial);
  const all = orders.data?.pages.flatMap((page) => page.orders) ?? [];
  const portions = all.reduce((sum, order) => sum + order.quantity, 0);
  return (
    <section aria-labelledby="orders-title" className="stack [--gap:1.25rem]">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="orders-title">Orders</h2>
          {all.length > 0 && (
            <p className="muted small" role="status">
              {all.length} {all.length === 1 ? "order" : "orders"}, {portions}{" "}
              {portions === 1 ? "portion" : "portions"}
              {orders.hasNextPage && " so far"}
            </p>
          )}
        </div>
        {offers.length > 0 && (
          <div className="w-full sm:w-72">
            <Select
              label="Offer"
              value={offerId}
              onChange={(event) => setOfferId(event.target.value)}
            >
              <option value="">All offers</option>
              {offers.map((offer) => (
                <option key={offer.id} value={offer.id}>
                  {offer.name}
                </option>
              ))}
            </Select>
          </div>
        )}
      </div>
      {orders.isError && (
        <Notice tone="berry" urgent>
          <p>The orders could not be loaded just now. Nothing about them has changed.</p>
          <Button size="small" className="self-start" onClick={() => orders.refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {orders.isPending && <SkeletonRows label="Loading orders" />}
      {orders.data && all.length === 0 && (
        <div className="card">
          <EmptyState title="No orders yet">
            {offerId
              ? "Nobody has pre-ordered this one so far. Sharing its link again helps."
              : "They appear here the moment a diner's card is held."}
          </EmptyState>
        </div>
      )}
      {all.length > 0 && <OrderTable orders={all} timeZone={timeZone} />}
      {orders.hasNextPage && (
        <Button
          className="self-center"
          busy={orders.isFetchingNextPage}
          onClick={() => orders.fetchNextPage()}
        >
          Show more orders
        </Button>
      )}
    </section>
  );
}

function OrderTable({ orders, timeZone }: { orders: Order[]; timeZone: string }) {
  return (
    <div className="table-frame">
      <table className="table-cards">
        <thead>
          <tr>
            <th scope="col">Offer</th>
            <th scope="col">Diner</th>
            <th scope="col" className="number">
              Portions
            </th>
            <th scope="col" className="number">
              Total
            </th>
            <th scope="col">Payment</th>
            <th scope="col">Ordered</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id}>
              <td className="lead" data-label="Offer">
                <p className="font-semibold break-words">{order.offerName}</p>
                <p className="small muted">Order {order.code}</p>
              </td>
              <td data-label="Diner">
                <div className="min-w-0">
                  <p className="break-words">{order.customerName}</p>
                  <p className="small break-all">
                    <a href={`mailto:${order.customerEmail}`}>{order.customerEmail}</a>
                  </p>
                  {order.customerPhone && (
                    <p className="small">
                      <a href={`tel:${order.customerPhone}`}>{order.customerPhone}</a>
                    </p>
                  )}
                </div>
              </td>
              <td className="number" data-label="Portions">
                {order.quantity}
              </td>
              <td className="number" data-label="Total">
                {formatDecimal(order.totalAmount)}
              </td>
              <td data-label="Payment">
                <div>
                  <Badge tone={paymentTone(order.paymentStatus)}>{order.paymentLabel}</Badge>
                </div>
              </td>
              <td data-label="Ordered">
                <time dateTime={order.createdAt} className="small">
                  {formatMoment(order.createdAt, timeZone)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
