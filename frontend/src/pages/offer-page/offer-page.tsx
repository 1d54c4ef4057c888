import "@/styles/app.css";
import { OfferPage } from "@/app/offer-page";
import { mountIsland } from "@/islands/mount";

mountIsland("offer-page/offer-page", OfferPage);
