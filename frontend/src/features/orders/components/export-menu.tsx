import { Download } from "lucide-react";
import { Menu, MenuDownload } from "@/ui/menu";
import { filtersQuery, type OrderFilters } from "../lib/filters";
import { ownAddress } from "../lib/order-address";

/** The orders that are shown, all pages of them, as a file. */
export function ExportMenu({ filters }: { filters: OrderFilters }) {
  function address(format: "csv" | "xlsx") {
    const query = new URLSearchParams(filtersQuery(filters));
    query.set("format", format);
    return ownAddress("/api/orders/export", query);
  }
  return (
    <Menu
      label={
        <>
          <Download size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          Export
        </>
      }
    >
      <MenuDownload href={address("xlsx")}>Excel (.xlsx)</MenuDownload>
      <MenuDownload href={address("csv")}>CSV (.csv)</MenuDownload>
    </Menu>
  );
}
