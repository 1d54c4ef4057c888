import { Advice } from "@/features/advice/components/advice";
import { ConnectionNote } from "@/features/dashboard/components/connection-note";
import {
  type OfferPageProps,
  OfferPage as Page,
} from "@/features/offer-page/components/offer-page";
import { useDishes } from "@/features/offers/api/list-dishes";
import { EditOfferDialog } from "@/features/offers/components/edit-offer-dialog";
import { useLive } from "@/lib/use-live";

type Props = Omit<OfferPageProps, "renderEdit" | "renderAdvice" | "rendered">;

/** An offer's own page, with the dashboard's dialog for its terms and the advisor. */
export function OfferPage(props: Props) {
  const live = useLive(props.version);
  return (
    <>
      <ConnectionNote connection={live.connection} />
      <Page
        {...props}
        version={live.version}
        rendered={props.version}
        renderEdit={(special, close) => (
          <Editing special={special} onClose={close} timeZone={props.timezone} />
        )}
        renderAdvice={(special) => (
          <Advice
            price={special.specialOfferPrice}
            minimum={special.minPreordersRequired}
            maximum={special.maxPreorders}
            offer={special.id}
          />
        )}
      />
    </>
  );
}

function Editing({
  special,
  onClose,
  timeZone,
}: {
  special: Props["overview"]["special"];
  onClose: () => void;
  timeZone: string;
}) {
  const dishes = useDishes(undefined).data?.dishes ?? [];
  return <EditOfferDialog offer={special} onClose={onClose} dishes={dishes} timeZone={timeZone} />;
}
