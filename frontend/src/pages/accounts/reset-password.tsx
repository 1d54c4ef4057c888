import "@/styles/app.css";
import { ResetPassword } from "@/features/accounts/components/reset-password";
import { mountIsland } from "@/islands/mount";

mountIsland("accounts/reset-password", ResetPassword);
