import "@/styles/app.css";
import { OfferPage } from "@/app/offer-page";
import { mountIsland } from "@/islands/mount";

mountIsland("preorders/offer", OfferPage);
