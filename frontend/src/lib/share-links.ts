/** The address to print and to type: it leads to the special's page on the restaurant's host. */
export function shortLink(special: { id: string; shareableUrl: string }): string {
  return new URL(`/s/${special.id.slice(0, 8)}`, special.shareableUrl).href;
}

/** Opens WhatsApp with a text to send: https://faq.whatsapp.com/5913398998672934 */
export const whatsAppLink = (text: string) => `https://wa.me/?${new URLSearchParams({ text })}`;

/** Opens a text message: https://www.rfc-editor.org/rfc/rfc5724. Without a number people choose. */
export const textMessageLink = (text: string, phone = "") =>
  `sms:${phone.replace(/[^\d+]/g, "")}?body=${encodeURIComponent(text)}`;

/** Opens an email: https://www.rfc-editor.org/rfc/rfc6068. */
export const emailLink = (subject: string, body: string, to = "") =>
  `mailto:${encodeURIComponent(to)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
