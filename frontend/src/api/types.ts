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

/** What confirming an address answers; the token is an API client's and never kept (X51). */
export type Confirmed = Schemas["Confirmed"];
export type ConfirmationRequest = Schemas["ConfirmationRequestInputRequest"];
export type Message = Schemas["Message"];
export type ChosenSubdomain = Schemas["ChosenSubdomain"];

export type Tenant = Schemas["Tenant"];
export type Tenants = Schemas["Tenants"];
export type TenantInput = Schemas["TenantInputRequest"];
export type RegisteredTenant = Schemas["RegisteredTenant"];

export type Team = Schemas["Team"];
export type Member = Schemas["Member"];
export type Invitation = Schemas["Invitation"];
/** What the link of an invitation's letter leads to. */
export type Invited = Schemas["Invited"];
export type Accepted = Schemas["Accepted"];
export type Role = Member["role"];
