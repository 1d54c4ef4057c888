import { CloudOff, CloudUpload } from "lucide-react";
import type { Live } from "@/lib/use-live";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import type { Device } from "../hooks/use-device";

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const SIGN_IN = `/login?next=${encodeURIComponent("/restaurant/pick-up")}`;

interface DeviceStatusProps {
  device: Device;
  connection: Live["connection"];
}

/** Whether check-ins on this device reach the server, and those that the server already had. */
export function DeviceStatus({ device, connection }: DeviceStatusProps) {
  const { day, waiting, objections, dismiss } = device;
  const ended = connection === "ended" || (connection === "on" && device.signedOut);
  const unsent = waiting.length > 0 && `${waiting.length} waiting to be sent`;
  return (
    <>
      {connection === "off" && (
        <p className="pickup-device" role="status">
          <CloudOff size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
          <span>
            <strong>Offline:</strong>{" "}
            {day
              ? `${counted(day.orders.length, "order")} on this device${unsent ? `, ${unsent}` : ""}.`
              : "today's orders aren't on this device. You can't look up orders until you're back online."}
          </span>
        </p>
      )}
      {ended && (
        <Notice tone="honey" urgent>
          <p>
            <strong>You've been signed out.</strong>{" "}
            {unsent
              ? `${counted(waiting.length, "check-in")} will be sent once you sign in.`
              : "You can continue with the orders on this page."}
          </p>
          <ButtonLink size="small" className="self-start" href={SIGN_IN}>
            Sign in and come back
          </ButtonLink>
        </Notice>
      )}
      {connection === "on" && !ended && unsent && (
        <p className="pickup-device" role="status">
          <CloudUpload size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
          <span>{counted(waiting.length, "check-in")} waiting to be sent. Stay signed in.</span>
        </p>
      )}
      {objections.map(({ id, guest, objection }) => (
        <Notice key={id} tone="honey" urgent>
          <p>
            <strong>{guest}:</strong> {objection}
          </p>
          <Button size="small" className="self-start" onClick={() => void dismiss(id)}>
            OK
          </Button>
        </Notice>
      ))}
    </>
  );
}

interface OfflineListProps {
  device: Device;
  onChoose: (code: string) => void;
}

/** Whoever hasn't picked up yet, for guests without a code while there is no connection. */
export function OfflineList({ device, onChoose }: OfflineListProps) {
  const left = (device.day?.orders ?? []).filter(
    ({ verdict, order }) =>
      order && verdict === "ready" && !device.waiting.some(({ orderId }) => orderId === order.id),
  );
  if (left.length === 0) return null;
  return (
    <details>
      <summary>{counted(left.length, "order")} to pick up on this device</summary>
      <ul className="rows">
        {left.map(
          ({ order }) =>
            order && (
              <li key={order.id} className="pickup-recent">
                <p className="min-w-0 break-words">
                  <strong>{order.customerName}</strong>, {order.quantity} × {order.servedName}
                </p>
                <Button
                  size="small"
                  aria-label={`Show: ${order.customerName}`}
                  onClick={() => onChoose(order.id)}
                >
                  Show
                </Button>
              </li>
            ),
        )}
      </ul>
    </details>
  );
}
