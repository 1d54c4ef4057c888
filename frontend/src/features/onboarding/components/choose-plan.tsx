import { ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";

/** The first step of a new restaurant: its plan, then its web address. */
export function ChoosePlan({ url }: { url: string }) {
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p>
          <strong>First choose your plan and web address.</strong> It takes a minute, there's no
          monthly fee, and you can change both anytime.
        </p>
        <ButtonLink size="small" variant="primary" href={url}>
          Choose your plan
        </ButtonLink>
      </div>
    </Notice>
  );
}
