import "@/styles/app.css";
import { RegisterTenant } from "@/features/tenants/components/register-form";
import { mountIsland } from "@/islands/mount";

mountIsland("tenants/tenant-registration", RegisterTenant);
