import "@/styles/app.css";
import { SubdomainSetup } from "@/app/subdomain-setup";
import { mountIsland } from "@/islands/mount";

mountIsland("onboarding/subdomain-setup", SubdomainSetup);
