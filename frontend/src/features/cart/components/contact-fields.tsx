import { gettext } from "@/lib/i18n";
import { Checkbox, TextInput } from "@/ui/inputs";
import type { Guest } from "../lib/guest";

interface ContactFieldsProps {
  guest: Guest;
  errors: Partial<Guest>;
  remember: boolean;
  asksForPhone: boolean;
  onChange: (guest: Guest) => void;
  onRemember: (remember: boolean) => void;
}

/** Who orders: once, for every item. */
export function ContactFields({
  guest,
  errors,
  remember,
  asksForPhone,
  onChange,
  onRemember,
}: ContactFieldsProps) {
  return (
    <section className="stack" aria-labelledby="cart-contact">
      <h3 id="cart-contact" className="visually-hidden">
        {gettext("Your details")}
      </h3>
      <TextInput
        label={gettext("Name")}
        name="customerName"
        autoComplete="name"
        maxLength={100}
        required
        value={guest.name}
        error={errors.name}
        onChange={(event) => onChange({ ...guest, name: event.target.value })}
      />
      <div className="field-row">
        <TextInput
          label={gettext("Email")}
          name="customerEmail"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={255}
          required
          value={guest.email}
          error={errors.email}
          onChange={(event) => onChange({ ...guest, email: event.target.value })}
        />
        {asksForPhone && (
          <TextInput
            label={gettext("Phone")}
            name="customerPhone"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={50}
            required
            value={guest.phone}
            error={errors.phone}
            onChange={(event) => onChange({ ...guest, phone: event.target.value })}
          />
        )}
      </div>
      <Checkbox
        label={gettext("Remember me on this device")}
        checked={remember}
        onChange={(event) => onRemember(event.target.checked)}
      />
    </section>
  );
}
