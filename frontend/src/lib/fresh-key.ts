/** A key no one else has, for a request that must not take effect twice. */
export function freshKey(): string {
  // Not `randomUUID`: it is missing on a page without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
