import * as Radix from "@radix-ui/react-dropdown-menu";
import { ChevronDown, Ellipsis, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { type ButtonLook, buttonClass } from "./button";
import { classNames } from "./class-names";

interface MenuProps extends ButtonLook {
  label: ReactNode;
  children: ReactNode;
}

/** A button that opens a list of actions; arrow keys move through it, and Escape closes it. */
export function Menu({ label, children, ...look }: MenuProps) {
  return (
    // Not modal: the rest of the page stays reachable, and isn't hidden from screen readers.
    <Radix.Root modal={false}>
      <Radix.Trigger className={buttonClass(look)}>
        {label}
        <ChevronDown size="1rem" strokeWidth={1.5} aria-hidden="true" />
      </Radix.Trigger>
      {/* In the page's main part: outside every landmark a screen reader hardly finds it. */}
      <Radix.Portal container={document.getElementById("main")}>
        <Radix.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The menu of one row among many: three dots, named after the row for screen readers. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger
        className={buttonClass({ size: "small", variant: "quiet" })}
        aria-label={label}
        title="More"
      >
        <Ellipsis size="1.25rem" strokeWidth={1.75} aria-hidden="true" />
      </Radix.Trigger>
      <Radix.Portal container={document.getElementById("main")}>
        <Radix.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface EntryProps {
  icon?: LucideIcon;
  className?: string;
  children: ReactNode;
}

const Drawn = ({ icon: Icon }: { icon?: LucideIcon }) =>
  Icon && <Icon size="1.125rem" strokeWidth={1.5} aria-hidden="true" />;

export function MenuItem({
  icon,
  className,
  onSelect,
  children,
}: EntryProps & { onSelect: () => void }) {
  return (
    <Radix.Item className={classNames("menu-item", className)} onSelect={onSelect}>
      <Drawn icon={icon} />
      {children}
    </Radix.Item>
  );
}

/** Another page. */
export function MenuLink({ icon, className, href, children }: EntryProps & { href: string }) {
  return (
    <Radix.Item className={classNames("menu-item", className)} asChild>
      <a href={href}>
        <Drawn icon={icon} />
        {children}
      </a>
    </Radix.Item>
  );
}

/** Between two groups of entries. */
export function MenuSeparator({ className }: { className?: string }) {
  return <Radix.Separator className={classNames("menu-separator", className)} />;
}

/** A file to save. */
export function MenuDownload({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Radix.Item className="menu-item" asChild>
      {/* The server names the file; if it doesn't, the answer is a page to sign in again. */}
      <a href={href}>{children}</a>
    </Radix.Item>
  );
}
