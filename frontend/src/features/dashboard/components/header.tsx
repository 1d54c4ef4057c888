import {
  ArrowLeftRight,
  Bell,
  BookOpen,
  CalendarDays,
  ChartColumn,
  CircleHelp,
  CreditCard,
  LogOut,
  type LucideIcon,
  ScanQrCode,
  Settings,
  Sparkles,
  UserRound,
} from "lucide-react";
import { useRef, useState } from "react";
import { csrfToken } from "@/lib/csrf";
import { clearUser } from "@/lib/stored-session";
import { Badge } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "@/ui/menu";
import type { DashboardLinks } from "../types";
import { HelpDialog } from "./help-dialog";

interface HeaderProps {
  restaurantName: string;
  tier: string;
  links: DashboardLinks;
}

/** Why a free restaurant finds analytics closed. */
const ANALYTICS_PLAN = "Branded plan";

/**
 * Restaurant's name, tier, and the links out of the dashboard. What a narrow screen has no
 * room for is in 'More': an entry is hidden there where its button is shown.
 */
export function Header({ restaurantName, tier, links }: HeaderProps) {
  const [helping, setHelping] = useState(false);
  const leaving = useRef<HTMLFormElement>(null);
  const free = tier === "free";
  return (
    <header className="site-header">
      <div className="wrap">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-[length:var(--text-title-2)]">
            {restaurantName || "Restaurant Dashboard"}
          </h1>
          {free && <Badge tone="other">Free Tier</Badge>}
        </div>
        <nav aria-label="Dashboard" className="-mr-2 flex flex-wrap items-center gap-1">
          {free && links.upgrade && (
            <ButtonLink size="small" href={links.upgrade}>
              <Sparkles size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
              Upgrade
            </ButtonLink>
          )}
          {links.pickUp && <Way icon={ScanQrCode} href={links.pickUp} label="Pickup" />}
          <Way icon={BookOpen} href={links.menu} label="Menu" className="max-lg:hidden" />
          {links.analytics && (
            <Way
              icon={ChartColumn}
              href={links.analytics}
              label="Analytics"
              className="max-xl:hidden"
              note={free ? ANALYTICS_PLAN : undefined}
            />
          )}
          <Button
            size="small"
            variant="quiet"
            className="max-lg:hidden"
            onClick={() => setHelping(true)}
          >
            <CircleHelp size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            <span className="sr-only">Help</span>
          </Button>
          {links.settings && (
            <Way
              icon={Settings}
              href={links.settings}
              label="All Settings"
              className="max-lg:hidden"
            />
          )}
          <form ref={leaving} method="post" action={links.logout} onSubmit={clearUser} hidden>
            <input type="hidden" name="csrfmiddlewaretoken" value={csrfToken()} />
          </form>
          <Menu size="small" variant="quiet" label="More">
            <MenuLink icon={BookOpen} href={links.menu} className="lg:hidden">
              Menu
            </MenuLink>
            <MenuLink icon={CalendarDays} href={links.calendar}>
              Calendar
            </MenuLink>
            {links.analytics && (
              <MenuLink icon={ChartColumn} href={links.analytics} className="xl:hidden">
                Analytics
                {free && <Badge tone="other">{ANALYTICS_PLAN}</Badge>}
              </MenuLink>
            )}
            {links.payments && (
              <MenuLink icon={CreditCard} href={links.payments}>
                Payments
              </MenuLink>
            )}
            {links.settings && (
              <MenuLink icon={Settings} href={links.settings} className="lg:hidden">
                All Settings
              </MenuLink>
            )}
            {links.notices && (
              <MenuLink icon={Bell} href={links.notices}>
                Notices
              </MenuLink>
            )}
            <MenuLink icon={UserRound} href={links.account}>
              Account
            </MenuLink>
            {links.switch && (
              <MenuLink icon={ArrowLeftRight} href={links.switch}>
                Switch restaurant
              </MenuLink>
            )}
            <MenuSeparator />
            <MenuItem icon={CircleHelp} className="lg:hidden" onSelect={() => setHelping(true)}>
              Help
            </MenuItem>
            <MenuItem icon={LogOut} onSelect={() => leaving.current?.requestSubmit()}>
              Logout
            </MenuItem>
          </Menu>
        </nav>
      </div>
      <HelpDialog open={helping} onClose={() => setHelping(false)} />
    </header>
  );
}

interface WayProps {
  icon: LucideIcon;
  href: string;
  label: string;
  className?: string;
  note?: string;
}

function Way({ icon: Icon, href, label, className, note }: WayProps) {
  return (
    <ButtonLink size="small" variant="quiet" className={className} href={href} title={note}>
      <Icon size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
      {label}
      {note && <span className="visually-hidden">({note})</span>}
    </ButtonLink>
  );
}
