import { useId } from "react";

/** What Stripe asks for, in words. */
export function RequirementList({ title, items }: { title: string; items: string[] }) {
  const id = useId();
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id} className="stack rhythm-1.5">
      <h3 id={id} className="small font-semibold font-[family-name:var(--font-text)]">
        {title}
      </h3>
      <ul className="list-disc pl-5 marker:text-[var(--muted)]">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}
