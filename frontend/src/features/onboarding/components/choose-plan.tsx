import { ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";

/** Asks once for the plan, when specials begin to count. */
export function ChoosePlan({ url }: { url: string }) {
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p>
          <strong>Which plan is right for you?</strong> Both have no monthly fee. You can switch
          anytime; the change applies to specials you publish from then on.
        </p>
        <ButtonLink size="small" variant="primary" href={url}>
          Choose your plan
        </ButtonLink>
      </div>
    </Notice>
  );
}
