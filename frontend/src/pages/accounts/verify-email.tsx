import "@/styles/app.css";
import { VerifyEmail } from "@/features/accounts/components/verify-email";
import { mountIsland } from "@/islands/mount";

mountIsland("accounts/verify-email", VerifyEmail);
