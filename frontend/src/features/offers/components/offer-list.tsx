import { BookOpen, Plus } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { ApiError, NetworkError } from "@/api/client";
import type { Dish, Special } from "@/api/types";
import { Button, ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { TextInput } from "@/ui/inputs";
import { Notice } from "@/ui/notice";
import { SkeletonRows } from "@/ui/skeleton";
import { showError, showSuccess } from "@/ui/toaster";
import { isRefusedForPreorders, useDeleteOffer } from "../api/delete-offer";
import { useDishes } from "../api/list-dishes";
import { useOffers } from "../api/list-offers";
import { inOrderOfUrgency } from "../lib/offer-status";
import { type AdvisedTerms, CreateOfferDialog } from "./create-offer-dialog";
import { EditOfferDialog } from "./edit-offer-dialog";
import { MenuLink } from "./menu-link";
import { OfferRow } from "./offer-row";
import { TestOrderDialog } from "./test-order-dialog";

/** With this many offers or more, the list has a filter. */
const CROWDED = 9;

/** `?new=1`: other pages lead to the form. */
const isNewAsked = () => new URLSearchParams(location.search).has("new");

/** So that a reload, or Back, doesn't open the form once more. */
function forgetNew(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has("new")) return;
  address.searchParams.delete("new");
  history.replaceState(history.state, "", address);
}

interface OfferListProps {
  initialOffers: Special[] | undefined;
  /** Whether the member can publish, change, and delete specials, or only look. */
  canEdit: boolean;
  initialDishes: Dish[] | undefined;
  timeZone: string;
  menuUrl: string;
  taxRate: string;
  onCreated: () => void;
  /** The step that tells people about a special. */
  announce: (offer: Special) => ReactNode;
  /** How the restaurant gets paid, for people who can set that up. */
  connect?: ReactNode;
  /** What the advisor says of the terms typed so far. */
  advise?: (terms: AdvisedTerms) => ReactNode;
  /** What a new restaurant can sell until its first payout; empty once that has arrived. */
  salesLimit?: string;
  /** The platform fee that the next special will carry; empty if it carries none. */
  feeNote?: string;
}

/** Active Special Offers: everything an owner does with offers. */
export function OfferList({
  initialOffers,
  canEdit,
  initialDishes,
  timeZone,
  menuUrl,
  taxRate,
  onCreated,
  announce,
  connect,
  advise,
  salesLimit,
  feeNote,
}: OfferListProps) {
  const offers = useOffers(initialOffers);
  const dishes = useDishes(initialDishes).data?.dishes ?? [];
  const remove = useDeleteOffer();
  const [creating, setCreating] = useState(() => canEdit && isNewAsked());
  const [editing, setEditing] = useState<Special | null>(null);
  const [testing, setTesting] = useState<Special | null>(null);
  const [filter, setFilter] = useState("");
  const [asked, setAsked] = useState<"open" | "closed" | null>(null);

  useEffect(forgetNew, []);

  async function confirmAndDelete(offer: Special) {
    if (!window.confirm(`Are you sure you want to delete "${offer.name}"?`)) return;
    try {
      const answer = await remove.mutateAsync(offer.id);
      showSuccess(
        "Deleted Successfully",
        `Special offer deleted successfully: ${answer?.offerName ?? offer.name}`,
      );
    } catch (failure) {
      const sentence =
        failure instanceof ApiError || failure instanceof NetworkError ? sentenceOf(failure) : null;
      if (isRefusedForPreorders(failure)) {
        showError("Cannot Delete", sentence ?? "Guests have already pre-ordered this special.");
      } else {
        showError("Error", sentence ?? "Failed to delete special offer. Please try again.");
      }
    }
  }

  const all = offers.data?.specials;
  const query = filter.trim().toLowerCase();
  const openOnes = (all ?? []).filter(({ status }) => status === "active");
  const closedOnes = (all ?? []).filter(({ status }) => status !== "active");
  // With no open special, the closed ones are shown.
  const view = closedOnes.length === 0 ? "open" : (asked ?? (openOnes.length ? "open" : "closed"));
  const shown = inOrderOfUrgency(view === "open" ? openOnes : closedOnes).filter((offer) =>
    offer.name.toLowerCase().includes(query),
  );
  return (
    <section aria-labelledby="offers-title" className="stack rhythm-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="offers-title">Active Special Offers</h2>
        <div className="cluster">
          {/* On a phone it is in the header, under 'More'. */}
          <ButtonLink variant="quiet" className="max-card:hidden" href="/restaurant/menu">
            <BookOpen size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            Regular menu
          </ButtonLink>
          {canEdit && (
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus size="1.125rem" strokeWidth={2} aria-hidden="true" />
              Add special offer
            </Button>
          )}
        </div>
      </div>
      {offers.isError && (
        <Notice tone="berry" urgent>
          <p>We couldn't load your specials. Nothing about them has changed.</p>
          <Button size="small" className="self-start" onClick={() => offers.refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {all && all.length >= CROWDED && (
        <div className="max-w-sm">
          <TextInput
            type="search"
            label="Search specials"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </div>
      )}
      {closedOnes.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: two buttons, not fields of a form
        <div className="segmented" role="group" aria-label="Show">
          <button type="button" aria-pressed={view === "open"} onClick={() => setAsked("open")}>
            Open ({openOnes.length})
          </button>
          <button type="button" aria-pressed={view === "closed"} onClick={() => setAsked("closed")}>
            Closed ({closedOnes.length})
          </button>
        </div>
      )}
      {offers.isPending && <SkeletonRows label="Loading special offers" />}
      {all?.length === 0 && (
        <div className="card">
          <EmptyState
            title="No special offers yet"
            action={
              canEdit && (
                <Button variant="primary" onClick={() => setCreating(true)}>
                  Create First Special Offer
                </Button>
              )
            }
          >
            {canEdit
              ? "Pick a dish, set how many orders make it worth cooking, and share the link. Guests are charged only if enough of them order."
              : "Specials appear here once a teammate publishes one."}
          </EmptyState>
        </div>
      )}
      {all && all.length > 0 && shown.length === 0 && (
        <p className="muted" role="status">
          {query ? `No specials match “${filter.trim()}”.` : "No special is open right now."}
        </p>
      )}
      {shown.length > 0 && (
        <div className="table-frame">
          <table className="table-cards special-rows">
            <thead>
              <tr>
                <th scope="col">Offer Details</th>
                <th scope="col">Pricing</th>
                <th scope="col">Pre-Orders</th>
                <th scope="col">Status</th>
                <th scope="col">Share</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((offer) => (
                <OfferRow
                  key={offer.id}
                  offer={offer}
                  canEdit={canEdit}
                  onTest={setTesting}
                  onEdit={setEditing}
                  onDelete={confirmAndDelete}
                  onDeadline={offers.refetch}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <MenuLink url={menuUrl} />
      <CreateOfferDialog
        open={creating}
        onClose={() => setCreating(false)}
        onCreated={onCreated}
        dishes={dishes}
        timeZone={timeZone}
        announce={announce}
        connect={connect}
        advise={advise}
        salesLimit={salesLimit}
        feeNote={feeNote}
      />
      {testing && (
        <TestOrderDialog
          offers={withFirst(testing, all ?? [])}
          taxRate={taxRate}
          onClose={() => setTesting(null)}
        />
      )}
      {editing && (
        <EditOfferDialog
          key={editing.id}
          offer={editing}
          onClose={() => setEditing(null)}
          dishes={dishes}
          timeZone={timeZone}
        />
      )}
    </section>
  );
}

/** The specials that can be ordered now, beginning with the one whose button was pressed. */
function withFirst(first: Special, all: Special[]): Special[] {
  const others = all.filter(({ id, status }) => id !== first.id && status === "active");
  return [all.find(({ id }) => id === first.id) ?? first, ...inOrderOfUrgency(others)];
}

function sentenceOf(failure: ApiError | NetworkError): string | undefined {
  return failure instanceof ApiError ? failure.sentence : failure.message;
}
