import { request } from "@/api/client";

/** Replaces the sites that may show the specials; answers them as they are stored. */
export const saveEmbedSites = (sites: string[]) =>
  request<{ sites: string[] }>("/api/restaurant/embed-sites", { method: "PUT", body: { sites } });
