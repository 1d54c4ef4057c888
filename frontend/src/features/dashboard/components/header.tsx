import { ArrowLeftRight, CircleHelp, LogOut, Settings, Sparkles, UserRound } from "lucide-react";
import { useState } from "react";
import { csrfToken } from "@/api/client";
import { forgetUser } from "@/lib/stored-session";
import { Badge } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import type { DashboardLinks } from "../types";
import { HelpDialog } from "./help-dialog";

interface HeaderProps {
  restaurantName: string;
  tier: string;
  links: DashboardLinks;
}

/** Restaurant's name, tier, and the ways out of the dashboard. */
export function Header({ restaurantName, tier, links }: HeaderProps) {
  const [helping, setHelping] = useState(false);
  const free = tier === "free";
  return (
    <header className="site-header">
      <div className="wrap">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-[length:var(--text-title-2)] break-words">
            {restaurantName || "Restaurant Dashboard"}
          </h1>
          {free && <Badge tone="other">Free Tier</Badge>}
        </div>
        <nav aria-label="Dashboard" className="-mr-2 flex flex-wrap items-center gap-1">
          {free && links.upgrade && (
            <ButtonLink size="small" href={links.upgrade}>
              <Sparkles size={18} strokeWidth={1.5} aria-hidden="true" />
              Upgrade
            </ButtonLink>
          )}
          <Button size="small" variant="quiet" onClick={() => setHelping(true)}>
            <CircleHelp size={18} strokeWidth={1.5} aria-hidden="true" />
            <span className="max-sm:sr-only">Help</span>
          </Button>
          {links.switch && (
            <ButtonLink size="small" variant="quiet" href={links.switch}>
              <ArrowLeftRight size={18} strokeWidth={1.5} aria-hidden="true" />
              <span className="max-lg:sr-only">Switch restaurant</span>
            </ButtonLink>
          )}
          {links.settings && (
            <ButtonLink size="small" variant="quiet" href={links.settings}>
              <Settings size={18} strokeWidth={1.5} aria-hidden="true" />
              <span className="max-sm:sr-only">All Settings</span>
            </ButtonLink>
          )}
          <ButtonLink size="small" variant="quiet" href={links.account}>
            <UserRound size={18} strokeWidth={1.5} aria-hidden="true" />
            <span className="max-lg:sr-only">Account</span>
          </ButtonLink>
          <form method="post" action={links.logout} onSubmit={forgetUser}>
            <input type="hidden" name="csrfmiddlewaretoken" value={csrfToken()} />
            <Button type="submit" size="small" variant="quiet">
              <LogOut size={18} strokeWidth={1.5} aria-hidden="true" />
              <span className="max-sm:sr-only">Logout</span>
            </Button>
          </form>
        </nav>
      </div>
      <HelpDialog open={helping} onClose={() => setHelping(false)} />
    </header>
  );
}
