/** The platforms a restaurant can link to, and what a person may type for each. */
export const platforms = ["facebook", "instagram", "twitter"] as const;
export type Platform = (typeof platforms)[number];
export type Links = Partial<Record<Platform, string>>;

const hosts: Record<Platform, RegExp> = {
  facebook: /^(?:(?:www|m|web)\.)?facebook\.com|^fb\.com/i,
  instagram: /^(?:(?:www|m)\.)?instagram\.com/i,
  twitter: /^(?:(?:www|mobile)\.)?twitter\.com|^(?:www\.)?x\.com/i,
};

export const platformNames: Record<Platform, string> = {
  facebook: "Facebook",
  instagram: "Instagram",
  twitter: "Twitter",
};

/** The fixed part before the handle. */
export const prefixes: Record<Platform, string> = {
  facebook: "https://facebook.com/",
  instagram: "https://instagram.com/",
  twitter: "https://twitter.com/",
};

/** The handle alone of a stored link, of a pasted address, or of what was typed. */
export function handleOf(platform: Platform, text: string): string {
  const bare = text.trim().replace(/^https?:\/\//i, "");
  const host = hosts[platform].exec(bare)?.[0];
  const rest = bare.slice(host?.length ?? 0);
  if (host === undefined || (rest !== "" && !rest.startsWith("/"))) {
    return text.trim().replace(/^@/, "");
  }
  return rest.replace(/^\/+@?/, "").replace(/\/+$/, "");
}

/** The link to store: empty for nothing typed, null when it cannot be one. */
export function linkOf(platform: Platform, typed: string): string | null {
  const handle = handleOf(platform, typed);
  if (handle === "") return "";
  // Another site's address, or something that is no address at all.
  if (/^[a-z][a-z\d+.-]*:/i.test(handle) || /[\s\\]/.test(handle) || handle.startsWith("/")) {
    return null;
  }
  return prefixes[platform] + handle;
}

/** The links that there are, in the platforms' order. */
export function presentLinks(links: Links): { platform: Platform; link: string }[] {
  return platforms.flatMap((platform) => {
    const link = links[platform];
    return link ? [{ platform, link }] : [];
  });
}
