import { gettext } from "@/lib/i18n";
import { Checkbox, TextInput } from "@/ui/inputs";
import type { Customer } from "../api/cart";

interface ContactFieldsProps {
  customer: Customer;
  faults: Partial<Customer>;
  remember: boolean;
  onChange: (customer: Customer) => void;
  onRemember: (remember: boolean) => void;
}

/** Who orders: once, for every line. */
export function ContactFields({
  customer,
  faults,
  remember,
  onChange,
  onRemember,
}: ContactFieldsProps) {
  return (
    <section className="stack" aria-labelledby="cart-contact">
      <h3 id="cart-contact">{gettext("Your details")}</h3>
      <TextInput
        label={gettext("Name")}
        name="customerName"
        autoComplete="name"
        maxLength={100}
        required
        value={customer.name}
        error={faults.name}
        onChange={(event) => onChange({ ...customer, name: event.target.value })}
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
          value={customer.email}
          error={faults.email}
          onChange={(event) => onChange({ ...customer, email: event.target.value })}
        />
        <TextInput
          label={gettext("Phone")}
          name="customerPhone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={50}
          required
          value={customer.phone}
          error={faults.phone}
          onChange={(event) => onChange({ ...customer, phone: event.target.value })}
        />
      </div>
      <Checkbox
        label={gettext("Remember me on this device")}
        checked={remember}
        onChange={(event) => onRemember(event.target.checked)}
      />
    </section>
  );
}
