import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { useOrder } from "../api/get-order";
import { OrderBody } from "./order-page";

interface OrderSheetProps {
  id: string;
  timeZone: string;
  onClose: () => void;
}

/** One order above the list that it was opened from. */
export function OrderSheet({ id, timeZone, onClose }: OrderSheetProps) {
  const order = useOrder(id);
  const detail = order.data;
  return (
    <Dialog
      open
      wide
      hasAddress
      onClose={onClose}
      title={detail ? detail.order.customerName : "Order"}
      description={detail && `Order ${detail.order.code}`}
      footer={<Button onClick={onClose}>Back to orders</Button>}
    >
      <OrderBody order={order} timeZone={timeZone} />
    </Dialog>
  );
}
