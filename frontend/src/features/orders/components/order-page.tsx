import { useQueryClient } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useEffect } from "react";
import { ApiError } from "@/api/client";
import type { OrderDetail } from "@/api/types";
import { useLive } from "@/lib/use-live";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { SkeletonRows } from "@/ui/skeleton";
import { useOrder } from "../api/get-order";
import { ordersKey } from "../api/list-orders";
import { OrderView } from "./order-view";

interface OrderPageProps {
  restaurantName: string;
  timeZone: string;
  detail: OrderDetail;
  /** Whether a change is worth asking for; see `useLive`. */
  version?: string;
  ordersUrl: string;
}

/** /restaurant/orders/{id}: an order by its own address. */
export function OrderPage({ timeZone, detail, version, ordersUrl }: OrderPageProps) {
  const { id } = detail.order;
  const order = useOrder(id, detail);
  const queries = useQueryClient();
  const live = useLive(version);

  useEffect(() => {
    if (live.version && live.version !== version) {
      void queries.invalidateQueries({ queryKey: [...ordersKey, id] });
    }
  }, [live.version, version, queries, id]);

  const shown = (order.data ?? detail).order;
  return (
    <div className="stack rhythm-6">
      <div className="stack rhythm-2">
        <ButtonLink size="small" variant="quiet" className="-ml-3 self-start" href={ordersUrl}>
          <ArrowLeft size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          All orders
        </ButtonLink>
        <p className="eyebrow">Order {shown.code}</p>
        <h1>{shown.customerName}</h1>
        {live.connection === "off" && (
          <p className="small muted" role="status">
            You're offline. This page updates as soon as you're back online.
          </p>
        )}
      </div>
      <OrderBody order={order} timeZone={timeZone} />
    </div>
  );
}

interface OrderBodyProps {
  order: ReturnType<typeof useOrder>;
  timeZone: string;
}

/** The order, or its placeholder while it loads. */
export function OrderBody({ order, timeZone }: OrderBodyProps) {
  const gone = order.error instanceof ApiError && order.error.status === 404;
  return (
    <div className="stack">
      {order.isError && (
        <Notice tone="berry" urgent>
          {gone ? (
            <p>We couldn't find this order. It may belong to another of your restaurants.</p>
          ) : (
            <>
              <p>We couldn't load the order. Nothing about it has changed.</p>
              <Button
                size="small"
                className="self-start"
                busy={order.isFetching}
                onClick={() => void order.refetch()}
              >
                Try again
              </Button>
            </>
          )}
        </Notice>
      )}
      {order.isPending && <SkeletonRows rows={5} label="Loading order" />}
      {order.data && <OrderView detail={order.data} timeZone={timeZone} />}
    </div>
  );
}
