/** Django's CSRF token, which every write must carry in X-CSRFToken; production's cookie has the prefix. */
export function csrfToken(): string {
  return /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}
