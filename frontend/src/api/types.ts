/** The API's shapes under the names the features use; generated from its OpenAPI description. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Special = Schemas["Special"];
export type Progress = Schemas["Progress"];
export type Dish = Schemas["Dish"];
export type OfferInput = Schemas["OfferInputRequest"];
export type OfferEditInput = Schemas["OfferEditInputRequest"];
export type DeletedOffer = Schemas["Deleted"];
export type Order = Schemas["Order"];
export type OrderPage = Schemas["OrderList"];
export type PaymentStatus = Schemas["PaymentStatusEnum"];
export type Ledger = Schemas["Ledger"];
export type LedgerEntry = Schemas["LedgerEntry"];
