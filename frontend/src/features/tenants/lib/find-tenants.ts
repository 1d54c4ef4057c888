import type { Tenant } from "@/api/types";

/** Those whose name or slug contains every word of `search`. */
export function findTenants(tenants: Tenant[], search: string): Tenant[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return tenants.filter(({ name, slug }) => {
    const text = `${name} ${slug}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The owner's sign-in address of a tenant: at its own host, or by slug where it has none. */
export function ownerUrl({ subdomain, slug }: Tenant, suffix: string, protocol: string): string {
  return subdomain
    ? `${protocol}//${subdomain}${suffix}/owner-dashboard`
    : `/${slug}/owner-dashboard`;
}
