import "@/styles/app.css";
import { TenantList } from "@/features/tenants/components/tenant-list";
import { mountIsland } from "@/islands/mount";

mountIsland("tenants/tenants", TenantList);
