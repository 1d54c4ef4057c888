import "@/styles/app.css";
import { StripeManagement } from "@/features/payments/components/stripe-management";
import { mountIsland } from "@/islands/mount";

mountIsland("payments/stripe-management", StripeManagement);
