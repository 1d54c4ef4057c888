import { Search, SlidersHorizontal } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ServeDay } from "@/api/types";
import { Button } from "@/ui/button";
import { classNames } from "@/ui/class-names";
import { DateInput, Select } from "@/ui/inputs";
import { filterCount, type OrderFilters, paymentChoices, statusChoices } from "../lib/filters";
import { counted, dayName } from "../lib/order-labels";

/** After the last key stroke, before the server is asked (milliseconds). */
const TYPING = 250;

interface OrderFiltersProps {
  filters: OrderFilters;
  onChange: (filters: OrderFilters) => void;
  offers: { id: string; name: string; specialServeDate?: string }[];
  days: ServeDay[];
  /** The day at the restaurant, 'YYYY-MM-DD'. */
  today: string;
}

/** Search, serve day, special, status and payment. */
export function OrderFiltersBar({ filters, onChange, offers, days, today }: OrderFiltersProps) {
  const set = (change: Partial<OrderFilters>) => onChange({ ...filters, ...change });
  const unlisted = filters.offer && !offers.some(({ id }) => id === filters.offer);
  const count = filterCount(filters);
  // On a phone they are behind a button; a filter in the address shows itself.
  const [open, setOpen] = useState(count > 0);
  return (
    <search className="stack rhythm-3" aria-label="Orders">
      <div className="orders-find">
        <SearchBox value={filters.q} onSearch={(q) => set({ q })} />
        <Button
          className="card:hidden"
          aria-expanded={open}
          aria-controls="orders-more-filters"
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          {count > 0 ? `Filter (${count})` : "Filter"}
        </Button>
      </div>
      <ServeDays days={days} today={today} value={filters.day} onChange={(day) => set({ day })} />
      <div
        id="orders-more-filters"
        className={classNames("stack rhythm-3", !open && "max-card:hidden")}
      >
        <div className="orders-filters">
          <Select
            label="Special"
            value={filters.offer}
            onChange={(event) => set({ offer: event.target.value })}
          >
            <option value="">All specials</option>
            {unlisted && <option value={filters.offer}>Earlier special</option>}
            {offers.map((offer) => (
              <option key={offer.id} value={offer.id}>
                {offer.name}
              </option>
            ))}
          </Select>
          <DateInput
            label="Serve date"
            value={filters.day}
            onChange={(event) => set({ day: event.target.value })}
          />
        </div>
        <Chips
          label="Status"
          name="order-status"
          choices={statusChoices}
          value={filters.status}
          onChange={(status) => set({ status })}
        />
        <Chips
          label="Payment"
          name="order-payment"
          choices={paymentChoices}
          value={filters.payment}
          onChange={(payment) => set({ payment })}
        />
      </div>
    </search>
  );
}

/** The next serve days with what is ordered for each; a press shows its orders, another one all. */
function ServeDays({
  days,
  today,
  value,
  onChange,
}: {
  days: ServeDay[];
  today: string;
  value: string;
  onChange: (day: string) => void;
}) {
  if (days.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, not fields of a form
    <div className="serve-days" role="group" aria-label="Serve days">
      <button type="button" aria-pressed={value === ""} onClick={() => onChange("")}>
        <strong>All days</strong>
      </button>
      {days.map(({ day, orders, portions }) => (
        <button
          key={day}
          type="button"
          aria-pressed={value === day}
          onClick={() => onChange(value === day ? "" : day)}
        >
          <strong>{dayName(day, today)}</strong>
          <span className="small">
            {counted(orders, "order")}, {counted(portions, "portion")}
          </span>
        </button>
      ))}
    </div>
  );
}

/** Keeps the typed text while the list reloads. */
function SearchBox({ value, onSearch }: { value: string; onSearch: (q: string) => void }) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const search = useRef(onSearch);
  search.current = onSearch;

  // Going back, or clearing the filters, changes what is searched for from outside.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const query = text.trim();
    if (query === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = query;
      search.current(query);
    }, TYPING);
    return () => clearTimeout(timer);
  }, [text]);

  return (
    <label className="field orders-search">
      <span className="label">Search</span>
      <span className="affix">
        <span aria-hidden="true">
          <Search size="1.125rem" strokeWidth={1.5} />
        </span>
        <input
          type="search"
          className="control"
          value={text}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          placeholder="Name, email, phone, or code"
          onChange={(event) => setText(event.target.value)}
        />
      </span>
    </label>
  );
}

interface ChipsProps {
  label: string;
  name: string;
  choices: [value: string, label: string][];
  value: string;
  onChange: (value: string) => void;
}

function Chips({ label, name, choices, value, onChange }: ChipsProps) {
  return (
    <fieldset className="chips">
      <legend>{label}</legend>
      {choices.map(([choice, text]) => (
        <label key={choice} className="chip">
          <input
            type="radio"
            name={name}
            value={choice}
            checked={value === choice}
            onChange={() => onChange(choice)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
