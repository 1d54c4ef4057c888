import { request } from "@/api/client";
import type { EmbedSites } from "@/api/types";
import { editedMeanwhile } from "@/lib/merge-edits";

const replace = (sites: string[], version: string) =>
  request<EmbedSites>("/api/restaurant/embed-sites", { method: "PUT", body: { sites, version } });

/**
 * Adds or removes a site, and returns the stored list. If somebody else has changed the list
 * meanwhile, the change is made to theirs: the two don't contradict each other.
 */
export async function changeEmbedSites(
  seen: EmbedSites,
  change: (sites: string[]) => string[],
): Promise<EmbedSites> {
  try {
    return await replace(change(seen.sites), seen.version);
  } catch (failure) {
    const current = editedMeanwhile<EmbedSites>(failure);
    if (!current) throw failure;
    return replace(change(current.sites), current.version);
  }
}
