import "@/styles/app.css";
import { SubdomainSetup } from "@/app/subdomain-setup";
import { mountIsland } from "@/islands/mount";

mountIsland("restaurants/subdomain-setup", SubdomainSetup);
