import { gettext } from "@/lib/i18n";

/** What the guest agrees to, word for word, with a link to the terms. */
export function Consent({ text }: { text: string }) {
  const terms = gettext("terms of service");
  const [before, after] = text.split(terms);
  return (
    <>
      {before}
      <a href="/terms-of-service" target="_blank" rel="noreferrer">
        {terms}
      </a>
      {after}
    </>
  );
}
