import { Plus, Search } from "lucide-react";
import { useId, useState } from "react";
import type { Tenant } from "@/api/types";
import { Badge, type BadgeTone } from "@/ui/badge";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { findTenants, ownerUrl } from "../lib/find-tenants";

interface TenantListProps {
  tenants: Tenant[];
  /** Where the next page of a long list begins; null on the last. */
  nextCursor: string | null;
  /** What the server has searched for already. */
  search: string;
  /** What follows a subdomain in an address, port included. */
  suffix: string;
  createUrl: string;
  /** For staff: their page of a restaurant, without its id at the end; else empty. */
  staffUrl?: string;
}

const statusTone: Record<string, BadgeTone> = {
  active: "herb",
  suspended: "berry",
  inactive: "honey",
};

const word = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The restaurants one may open, found by name or slug. */
export function TenantList({
  tenants,
  nextCursor,
  search: searched,
  suffix,
  createUrl,
  staffUrl = "",
}: TenantListProps) {
  const id = useId();
  const [search, setSearch] = useState(searched);
  const found = findTenants(tenants, search);
  const create = (
    <ButtonLink variant="primary" href={createUrl}>
      <Plus size="1.125rem" strokeWidth={1.75} aria-hidden="true" />
      Add a restaurant
    </ButtonLink>
  );

  return (
    <div className="stack rhythm-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1>Choose a restaurant</h1>
        {(tenants.length > 0 || searched) && create}
      </div>
      {tenants.length === 0 && !searched ? (
        <EmptyState title="No restaurant yet" action={create}>
          Register your first restaurant and it gets a web address right away.
        </EmptyState>
      ) : (
        <>
          <search>
            <form method="get" className="field">
              <label htmlFor={id}>Search by name or slug</label>
              <div className="affix">
                <span aria-hidden="true">
                  <Search size="1.125rem" strokeWidth={1.5} />
                </span>
                <input
                  id={id}
                  type="search"
                  name="search"
                  className="control pl-10!"
                  value={search}
                  autoComplete="off"
                  onChange={(event) => setSearch(event.target.value)}
                />
              </div>
            </form>
          </search>
          <p role="status" className="small muted">
            {found.length === 1 ? "1 restaurant" : `${found.length} restaurants`}
            {search.trim() && ` for “${search.trim()}”`}
          </p>
          {found.length === 0 && (
            <EmptyState title="No matching restaurants">
              Try fewer letters or part of its web address.
            </EmptyState>
          )}
          <ul className="grid gap-3 md:grid-cols-2">
            {found.map((tenant) => (
              <li key={tenant.id} className="card tenant">
                <div className="card-body">
                  <div className="min-w-0">
                    <h2 className="text-[length:var(--text-title-3)]">
                      <a className="tenant-link" href={ownerUrl(tenant, suffix, location.protocol)}>
                        {tenant.name}
                      </a>
                    </h2>
                    <p className="small muted break-all">
                      {tenant.domain ||
                        (tenant.subdomain ? `${tenant.subdomain}${suffix}` : tenant.slug)}
                    </p>
                  </div>
                  <p className="cluster">
                    <Badge tone={statusTone[tenant.status] ?? "other"}>{word(tenant.status)}</Badge>
                    <Badge tone="other">{word(tenant.subscriptionTier)}</Badge>
                  </p>
                  {staffUrl && (
                    <a className="tenant-manage" href={staffUrl + tenant.id}>
                      Manage<span className="visually-hidden"> {tenant.name}</span>
                    </a>
                  )}
                </div>
              </li>
            ))}
          </ul>
          {nextCursor && (
            <p>
              <a
                className="button"
                href={`?${new URLSearchParams({ search: searched, cursor: nextCursor })}`}
              >
                More restaurants
              </a>
            </p>
          )}
        </>
      )}
    </div>
  );
}
