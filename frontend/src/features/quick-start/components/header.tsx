import { ArrowLeft, Sparkles } from "lucide-react";
import { Badge } from "@/ui/badge";
import { ButtonLink } from "@/ui/button";

interface QuickStartHeaderProps {
  name: string;
  isFree: boolean;
  hubUrl: string;
  upgradeUrl: string;
}

/** Links out, the tier, and the restaurant's name. */
export function QuickStartHeader({ name, isFree, hubUrl, upgradeUrl }: QuickStartHeaderProps) {
  return (
    <header className="site-header">
      <div className="wrap">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <ButtonLink size="small" variant="quiet" className="-ml-3" href={hubUrl}>
            <ArrowLeft size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            Back to Dashboard
          </ButtonLink>
          {isFree && <Badge tone="other">Free Tier</Badge>}
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <p className="small muted">Welcome{name && `, ${name}`}</p>
          {isFree && (
            <ButtonLink size="small" href={upgradeUrl}>
              <Sparkles size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
              Upgrade
            </ButtonLink>
          )}
        </div>
      </div>
    </header>
  );
}
