/** A dish's texts in one more language, as the API has them. */
interface Texts {
  name?: string;
  description?: string;
  story?: string;
}

export interface Translations {
  es?: Texts;
}

/** The fields of a form for a dish's texts in Spanish. */
export interface SpanishValues {
  spanishName: string;
  spanishDescription: string;
}

export function spanishValues(translations: Translations | undefined): SpanishValues {
  return {
    spanishName: translations?.es?.name ?? "",
    spanishDescription: translations?.es?.description ?? "",
  };
}

/** The texts to send: all of them, because they replace the stored ones. */
export function translationsOf(values: SpanishValues & { spanishStory?: string }): Translations {
  const typed = {
    name: values.spanishName,
    description: values.spanishDescription,
    story: values.spanishStory ?? "",
  };
  const texts = Object.entries(typed).map(([field, text]) => [field, text.trim()] as const);
  const written = texts.filter(([, text]) => text !== "");
  return written.length > 0 ? { es: Object.fromEntries(written) } : {};
}
