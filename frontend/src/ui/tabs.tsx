import * as Radix from "@radix-ui/react-tabs";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface TabEntry {
  value: string;
  label: string;
  icon: LucideIcon;
  /** The number of things waiting there; not shown for 0. */
  count?: number;
  content: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: TabEntry[];
  value: string;
  onChange: (value: string) => void;
}

/** Tabs above their panel; on phones a bar at the foot of the screen. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className="has-tabs">
      <Radix.List className="tabs" aria-label={label}>
        {tabs.map(({ value: tab, label: name, icon: Icon, count = 0 }) => (
          <Radix.Trigger key={tab} value={tab} className="tab">
            <Icon size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
            {name}
            {count > 0 && (
              <span className="tab-count">
                {count}
                <span className="visually-hidden"> new</span>
              </span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-6">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
