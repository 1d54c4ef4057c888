/** A restaurant as the list of tenants shows it (X35). */
export interface Tenant {
  id: string;
  name: string;
  slug: string;
  subdomain: string;
  domain: string;
  status: string;
  subscriptionTier: string;
  createdAt: string;
}
