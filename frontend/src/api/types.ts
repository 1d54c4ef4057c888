/** The API's types under the names the features use; generated from its OpenAPI description. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Special = Schemas["Special"];
export type CartOffers = Schemas["CartOffers"];
export type CartOffer = CartOffers["offers"][number];
/** A cart whose portions are reserved during checkout, and the result of each item. */
export type CartBegun = Schemas["CartStarted"];
export type BegunCartItem = CartBegun["items"][number];
export type CartResult = Schemas["CartResult"];
export type CartItemResult = CartResult["items"][number];
export type CartRetry = Schemas["RetryStarted"];
export type Progress = Schemas["Progress"];
export type AllProgress = Schemas["AllProgress"];
export type Dish = Schemas["Dish"];
export type Allergen = Schemas["AllergensEnum"];
export type Diet = Schemas["DietaryEnum"];
export type ServiceMode = Schemas["ServiceModeEnum"];
export type OfferInput = Schemas["OfferInputRequest"];
export type OfferEditInput = Schemas["OfferEditInputRequest"];
/** A dish after a change, and how many guests would be told about it. */
export type PromiseInput = Schemas["PromiseInputRequest"];
export type GuestsToTell = Schemas["GuestsToTell"];
export type DeletedOffer = Schemas["Deleted"];
/** The result of canceling a special with its orders. */
export type CancelledOffer = Schemas["CancelledOffer"];
export type Order = Schemas["Order"];
export type OrderPage = Schemas["OrderList"];
export type OrderDetail = Schemas["OrderDetail"];
export type OrderSlot = Schemas["Slot"];
export type RefundEffect = Schemas["RefundEffect"];
export type ActivityEntry = Schemas["ActivityEntry"];
export type BulkDone = Schemas["BulkDone"];
export type PickUp = Schemas["PickUp"];
export type PaymentStatus = Schemas["PaymentStatusEnum"];
/** The payment account's status; `setup` describes it. */
export type ConnectStatus = Schemas["ConnectStatus"];
/** Which parts of the setup are done. */
export type Completion = Schemas["CompletionAnswer"];
/** A step from a confirmed email to a special that guests can order. */
export type SetupStep = Schemas["SetupStep"];
export type Ledger = Schemas["Ledger"];
export type LedgerByOrder = Schemas["LedgerByOrder"];
export type OrderInLedger = Schemas["OrderInLedger"];
export type Today = Schemas["Today"];
export type SpecialResult = Schemas["SpecialResult"];
export type ServeDay = Schemas["ServeDay"];
export type GuestMessagePreview = Schemas["GuestMessagePreview"];
export type LedgerEntry = Schemas["LedgerEntry"];

/** An offer's own page: what would happen now, what happened, and what can be done. */
export type Overview = Schemas["Overview"];
export type Rehearsal = Schemas["Rehearsal"];
export type OrderGroup = Schemas["Group"];
export type Outcome = Schemas["Outcome"];
export type Timeline = Schemas["Timeline"];
export type OfferChange = Schemas["OfferChange"];
export type RescueOptions = Schemas["RescueOptions"];
export type RescueInput = Schemas["RescueInputRequest"];
export type RescuePreview = Schemas["Trial"];
export type Advice = Schemas["Advice"];

/** A pickup time as its restaurant sees it, and as it is set. */
export type OwnSlot = Schemas["OwnSlot"];
export type OwnSlots = Schemas["OwnSlots"];
export type EmbedSites = Schemas["EmbedSites"];
export type SlotInput = Schemas["SlotInputRequest"];

/** What confirming an address answers; the token is for API clients and never stored (DECISIONS X51). */
export type Confirmed = Schemas["Confirmed"];
export type ConfirmationRequest = Schemas["ConfirmationRequestInputRequest"];
export type Message = Schemas["Message"];
export type ChosenSubdomain = Schemas["ChosenSubdomain"];

export type Tenant = Schemas["Tenant"];
export type RegisteredTenant = Schemas["RegisteredTenant"];

/** The restaurant as its own team sees it. */
export type Profile = Schemas["Profile"];
export type ProfileInput = Schemas["ProfileInputRequest"];
export type Places = Schemas["Places"];
export type Subscription = Schemas["Subscription"];
/** The first month's payment of a subscription. */
export type SubscriptionPayment = Schemas["SubscriptionPayment"];
export type Subscriber = Schemas["Subscriber"];
export type BillingPortal = Schemas["BillingPortal"];

export type Team = Schemas["Team"];
export type Member = Schemas["Member"];
export type Invitation = Schemas["Invitation"];
/** What an invitation link opens. */
export type Invited = Schemas["Invited"];
export type Accepted = Schemas["Accepted"];
export type Role = Member["role"];

export type HistoryEntry = Schemas["HistoryEntry"];
export type History = Schemas["History"];
export type AddedToMenu = Schemas["AddedToMenu"];
export type DishInput = Schemas["DishInputRequest"];
export type DishEditInput = Schemas["DishEditInputRequest"];

/** Where the restaurant can announce, and its latest announcements. */
export type Announcements = Schemas["Announcements"];
export type Announcement = Schemas["Announcement"];
export type AnnouncementWish = Schemas["GenerateInputRequest"];
export type ComposedAnnouncement = Schemas["Composed"];
export type PostResult = Schemas["Result"];
export type PostResults = Schemas["Results"];
export type Platform = PostResult["platform"];

export type Analytics = Schemas["Analytics"];
export type AnalyticsTotals = Schemas["Totals"];
export type Figures = Schemas["Figures"];

/** An account as staff see it, and a line of the system log. */
export type ListedUser = Schemas["ListedUser"];
export type LogEntry = Schemas["LogEntry"];

/** The expiration page of the platform's staff. */
export type ExpirationStats = Schemas["ExpirationStats"];
export type SchedulerStatus = Schemas["SchedulerStatus"];
export type ProcessedExpirations = Schemas["ProcessedExpirations"];
