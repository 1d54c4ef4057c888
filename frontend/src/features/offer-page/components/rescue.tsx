import { CalendarClock, ChefHat, Flag, TrendingDown } from "lucide-react";
import { useState } from "react";
import type { RescueOptions, Special } from "@/api/types";
import { formatMoment } from "@/lib/times";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import type { RescueAction } from "../types";
import { RescueDialog } from "./rescue-dialog";

interface RescueProps {
  options: RescueOptions;
  special: Special;
  timeZone: string;
  /** When the page's figures were read: a preview is requested again each time. */
  asOf: number;
}

/** What an owner can do before the deadline. Each action previews its result. */
export function Rescue({ options, special, timeZone, asOf }: RescueProps) {
  const [doing, setDoing] = useState<RescueAction | null>(null);
  const { minimum, restaurantPortions, restaurantPortionsLeft, latestDeadline } = options;
  const reserved = restaurantPortions === 1 ? "1 portion is" : `${restaurantPortions} portions are`;
  const ways = [
    {
      action: "lower_minimum" as const,
      icon: TrendingDown,
      title: "Lower the minimum",
      hint: minimum > 1 ? `The minimum is ${minimum} portions.` : "One portion is already enough.",
      button: "Lower",
      possible: minimum > 1,
    },
    {
      action: "restaurant_portions" as const,
      icon: ChefHat,
      title: "Restaurant portions",
      hint:
        restaurantPortions > 0
          ? `${reserved} yours. They count toward the minimum.`
          : "Add portions for your staff or your menu. They count toward the minimum.",
      button: restaurantPortions > 0 ? "Change" : "Add",
      name: restaurantPortions > 0 ? "Change restaurant portions" : "Add restaurant portions",
      possible: restaurantPortionsLeft !== 0,
    },
    {
      action: "extend" as const,
      icon: CalendarClock,
      title: "Extend the deadline",
      hint: latestDeadline
        ? `You can extend it until ${formatMoment(latestDeadline, timeZone)}. ${options.latestReason}`
        : `It can't be any later. ${options.latestReason}`,
      button: "Extend",
      possible: latestDeadline !== null,
    },
    {
      action: "go_ahead" as const,
      icon: Flag,
      title: "Guarantee it",
      hint: options.goesAhead
        ? "You've committed to cooking this, however few people order."
        : "You'll cook no matter how many people order.",
      button: "Guarantee",
      possible: !options.goesAhead,
    },
  ];
  return (
    <section className="stack" aria-labelledby="rescue-title">
      <h2 id="rescue-title">Help it reach the minimum</h2>
      {options.atRisk && (
        <Notice tone="honey">
          <p>
            <strong>{special.seatsSentence}</strong>, and the deadline is near. Here's what you can
            do.
          </p>
        </Notice>
      )}
      <ul className="rows">
        {ways.map(({ action, icon: Icon, title, name = title, hint, button, possible }) => (
          <li key={action} className="flex-nowrap!">
            <div className="flex min-w-0 gap-3">
              <Icon
                size="1.25rem"
                strokeWidth={1.5}
                className="mt-0.5 shrink-0"
                aria-hidden="true"
              />
              <div className="min-w-0">
                <p className="font-semibold">{title}</p>
                <p className="small muted">{hint}</p>
              </div>
            </div>
            {possible && (
              <Button
                size="small"
                className="shrink-0 whitespace-nowrap"
                aria-label={name}
                onClick={() => setDoing(action)}
              >
                {button}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {doing && (
        <RescueDialog
          key={doing}
          action={doing}
          options={options}
          special={special}
          timeZone={timeZone}
          asOf={asOf}
          onClose={() => setDoing(null)}
        />
      )}
    </section>
  );
}
