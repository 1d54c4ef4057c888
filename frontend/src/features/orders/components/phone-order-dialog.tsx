import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { NetworkError } from "@/api/client";
import type { Special } from "@/api/types";
import { formatCents, parseCents } from "@/lib/money";
import { applyServerErrors } from "@/lib/server-errors";
import { formatDay } from "@/lib/times";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { NumberInput, Select, TextArea, TextInput } from "@/ui/inputs";
import { type PhoneOrderBegun, usePhoneOrder } from "../api/create-phone-order";
import { useOfferSlots } from "../api/get-offer-slots";
import { counted } from "../lib/order-labels";
import { noPhoneOrder, type PhoneOrderValues, phoneOrderSchema } from "../lib/phone-order-schema";
import { PayLink } from "./pay-link";

interface PhoneOrderDialogProps {
  offers: Special[];
  /** Chosen already, when the list shows one offer's orders. */
  offerId: string;
  timeZone: string;
  onClose: () => void;
}

/** Takes an order by phone; then the link by which the guest pays. */
export function PhoneOrderDialog({ offers, offerId, timeZone, onClose }: PhoneOrderDialogProps) {
  const open = offers.filter(({ isActive, preordersOpen }) => isActive && preordersOpen);
  const first = open.find(({ id }) => id === offerId) ?? (open.length === 1 ? open[0] : undefined);
  const form = useForm<PhoneOrderValues>({
    resolver: zodResolver(phoneOrderSchema),
    defaultValues: { ...noPhoneOrder, offerId: first?.id ?? "" },
  });
  const begin = usePhoneOrder();
  const [begun, setBegun] = useState<PhoneOrderBegun | null>(null);
  const [problem, setProblem] = useState<ReactNode>(null);
  const sending = useRef(false);
  const { errors } = form.formState;
  const offer = open.find(({ id }) => id === form.watch("offerId"));
  const quantity = Number(form.watch("quantity"));
  const slots = useOfferSlots(offer?.id ?? "");

  const save = form.handleSubmit(async (values) => {
    if (sending.current) return;
    sending.current = true;
    setProblem(null);
    try {
      setBegun(
        await begin.mutateAsync({
          offerId: values.offerId,
          quantity: Number(values.quantity),
          customerName: values.customerName.trim(),
          customerPhone: values.customerPhone.trim(),
          customerEmail: values.customerEmail.trim(),
          note: values.note.trim(),
          slotId: values.slotId ? Number(values.slotId) : null,
          serviceMode: offer?.serviceMode === "both" ? values.serviceMode : "",
        }),
      );
    } catch (failure) {
      const { sentence, inForm } = applyServerErrors(
        failure,
        values,
        form.setError,
        "We couldn't save the order. Try again in a minute.",
      );
      if (failure instanceof NetworkError) {
        setProblem(
          <>{sentence} What you entered is still here. No card has been charged or held.</>,
        );
      } else if (inForm) setProblem(sentence);
    } finally {
      sending.current = false;
    }
  });

  if (begun) {
    const { order } = begun;
    return (
      <Dialog
        open
        onClose={onClose}
        title="Order saved"
        description={`${order.customerName}: ${counted(order.quantity, "portion")} of ${order.offerName}. It counts once the guest adds a card through this link.`}
        footer={
          <>
            <Button
              onClick={() => {
                form.reset({ ...noPhoneOrder, offerId: order.offerId });
                setBegun(null);
              }}
            >
              New order
            </Button>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </>
        }
      >
        <PayLink
          orderId={order.id}
          phone={order.customerPhone || undefined}
          email={order.customerEmail || undefined}
          customerName={order.customerName}
          what={`${order.quantity} × ${order.offerName}`}
          url={begun.payUrl}
          expiresAt={begun.expiresAt}
          timeZone={timeZone}
        />
      </Dialog>
    );
  }

  const price = offer && parseCents(offer.specialOfferPrice);
  const left = offer?.portionsLeft ?? null;
  return (
    <Dialog
      open
      onClose={onClose}
      locked={begin.isPending}
      title="Add phone order"
      description="You enter the order and the guest adds a card through a link. We hold the card and charge it only if the special goes ahead."
      problem={problem}
      footer={
        open.length > 0 && (
          <>
            <Button disabled={begin.isPending} onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" busy={begin.isPending} onClick={() => void save()}>
              {begin.isPending ? "Saving order…" : "Save & get payment link"}
            </Button>
          </>
        )
      }
    >
      {open.length === 0 ? (
        <EmptyState title="No open specials">
          A phone order needs a special that is still open. Publish one under Specials first.
        </EmptyState>
      ) : (
        <form noValidate className="stack" onSubmit={save}>
          <Select
            label="Special"
            error={errors.offerId?.message}
            data-autofocus={first ? undefined : true}
            {...form.register("offerId")}
          >
            <option value="">Choose a special</option>
            {open.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}, {formatDay(each.specialServeDate)}
                {each.portionsLeft !== null && ` (${each.portionsLeft} left)`}
              </option>
            ))}
          </Select>
          <div className="field-row">
            <NumberInput
              label="Portions"
              min={1}
              max={offer?.perOrderLimit}
              error={errors.quantity?.message}
              hint={
                offer &&
                (left === null
                  ? `Limit ${offer.perOrderLimit} per order.`
                  : `${counted(left, "portion")} left.`)
              }
              {...form.register("quantity")}
            />
            <p className="field">
              <span className="label">Price</span>
              <output className="phone-order-price">
                {price && quantity > 0 ? `${formatCents(price * quantity)} + tax` : "–"}
              </output>
            </p>
          </div>
          {offer?.serviceMode === "both" && (
            <Select
              label="Dine in or pickup"
              optional
              error={errors.serviceMode?.message}
              {...form.register("serviceMode")}
            >
              <option value="">Not sure yet</option>
              <option value="dine_in">Dine in</option>
              <option value="pickup">Pickup</option>
            </Select>
          )}
          {slots.length > 0 && (
            <Select
              label={offer?.serviceMode === "pickup" ? "Pickup time" : "Time"}
              error={errors.slotId?.message}
              {...form.register("slotId")}
            >
              <option value="">Choose a time</option>
              {slots.map((slot) => (
                <option key={slot.id} value={slot.id} disabled={slot.left === 0}>
                  {slot.label}
                  {slot.left !== null && (slot.left ? ` (${slot.left} left)` : " (full)")}
                </option>
              ))}
            </Select>
          )}
          <TextInput
            label="Name"
            maxLength={100}
            autoComplete="off"
            error={errors.customerName?.message}
            data-autofocus={first ? true : undefined}
            {...form.register("customerName")}
          />
          <TextInput
            label="Phone"
            type="tel"
            inputMode="tel"
            maxLength={50}
            autoComplete="off"
            error={errors.customerPhone?.message}
            {...form.register("customerPhone")}
          />
          <TextInput
            label="Email"
            optional
            type="email"
            inputMode="email"
            maxLength={255}
            autoComplete="off"
            hint="We'll email the link and all updates to this address."
            error={errors.customerEmail?.message}
            {...form.register("customerEmail")}
          />
          <TextArea
            label="Allergies or requests"
            optional
            maxLength={500}
            error={errors.note?.message}
            {...form.register("note")}
          />
          {/* Enter in a field takes the order. */}
          <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
        </form>
      )}
    </Dialog>
  );
}
