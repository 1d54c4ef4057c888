"""Which personal data each table holds, whose, and what happens to them (decision 63).

Every model of every installed app is in `HOLDINGS`, dj-stripe's and Django's too; a test walks the
models and fails on one that isn't, and on a text column that is in neither list of its holding. How
long things are kept is in `retention.RULES`.
"""

from dataclasses import dataclass
from enum import StrEnum


class Whose(StrEnum):
    """Whose personal data a table holds."""

    GUEST = "guest"
    MEMBER = "owner or team member"
    VISITOR = "visitor of the demo or of the registration"
    NONE = "nobody's"


class Export(StrEnum):
    """How the person gets a copy."""

    GUEST_PAGE = "in the download of the order's page"
    ACCOUNT_PAGE = "in the download of the account page"
    ON_REQUEST = "from the restaurant or from us, on request"
    SECRET = "only that it exists: the content is a secret, or means nothing to a person"
    NOTHING = "nothing to export"


class Erasure(StrEnum):
    """What erasing the person does to it: a guest's erasure, or the deletion of an account."""

    BLANKED = "blanked"
    DELETED = "deleted"
    RENAMED = "the name is replaced"
    RETAINED = "retained, see the reason"
    EXPIRES = "not touched; it expires by a retention rule"
    NOTHING = "nothing to erase"


@dataclass(frozen=True, slots=True)
class Holding:
    """What one table holds. `personal` and `other` name its text columns, choices left out.

    `unexported` are personal columns that aren't in the export: copies, hashes, and links.
    """

    whose: Whose
    personal: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    export: Export = Export.NOTHING
    erasure: Erasure = Erasure.NOTHING
    reason: str = ""  # why something is kept or not exported
    is_empty: bool = False  # the product writes nothing to it
    unexported: tuple[str, ...] = ()


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def guest(personal: str, erasure: Erasure, **more: object) -> Holding:
    return _holding(Whose.GUEST, personal, erasure, **{"export": Export.GUEST_PAGE, **more})


def member(personal: str, erasure: Erasure, **more: object) -> Holding:
    return _holding(Whose.MEMBER, personal, erasure, **{"export": Export.ACCOUNT_PAGE, **more})


def none(other: str = "", reason: str = "") -> Holding:
    return Holding(Whose.NONE, other=_words(other), reason=reason)


def _holding(whose: Whose, personal: str, erasure: Erasure, **more: object) -> Holding:
    other = _words(str(more.pop("other", "")))
    return Holding(whose, _words(personal), other, erasure=erasure, **more)  # type: ignore[arg-type]


_TRANSITION = "field old new reason_code"
HOLDINGS: dict[str, Holding] = {
    # --- guests -----------------------------------------------------------------------------------
    "preorders.PreOrder": guest(
        "customer_name customer_email customer_phone note search_text checkout_url origin_network "
        "origin_device payment_customer_id payment_method_id card_brand card_digits",
        Erasure.BLANKED,
        other="language consent_text terms_version share_code checkout_session_id "
        "payment_intent_id short_code statement_name",
        reason="Amounts, what was agreed to, and Stripe's id of the payment stay for the accounts.",
        unexported=("search_text", "checkout_url", "origin_network", "origin_device"),
    ),
    "preorders.Cart": guest(
        "fingerprint payment_customer_id payment_method_id",
        Erasure.BLANKED,
        other="setup_intent_id",
        export=Export.SECRET,
    ),
    "restaurants.IdempotencyKey": guest(
        "body",
        Erasure.EXPIRES,
        other="caller key fingerprint",
        export=Export.SECRET,
        reason="Answers as they were sent, for a day; the rows they show are in the export.",
    ),
    "preorders.PreOrderTransition": guest(
        "reason actor",
        Erasure.BLANKED,
        export=Export.ON_REQUEST,
        other=_TRANSITION,
        reason="The team's reasons are blanked; whose act it was stays.",
    ),
    "preorders.OrderNote": guest(
        "text by",
        Erasure.DELETED,
        export=Export.ON_REQUEST,
        reason="The team's own remarks, which guests never see; the restaurant answers for them.",
    ),
    "preorders.WaitlistEntry": guest("name email phone", Erasure.DELETED, other="language"),
    "preorders.Email": guest(
        "action_url error",
        Erasure.BLANKED,
        export=Export.ON_REQUEST,
        reason="That an email was sent, and when, stays with the order. Its text is never stored.",
    ),
    "preorders.Subscriber": guest(
        "email name consent_context consent_words", Erasure.DELETED, other="language"
    ),
    "marketing.EmailInvitation": guest(
        "customer_email customer_name error",
        Erasure.BLANKED,
        export=Export.ON_REQUEST,
        other="email_subject reservation_url language provider_id",
        reason="The fact that an email was sent, and its result, stay without the address.",
    ),
    "preorders.PaymentOperation": guest(
        "reason actor",
        Erasure.BLANKED,
        export=Export.ON_REQUEST,
        other="reason_code reference error",
        reason="The team's reasons are blanked; what happened to the money stays for the accounts.",
    ),
    "preorders.Dispute": guest(
        "remarks",
        Erasure.BLANKED,
        export=Export.ON_REQUEST,
        other="reason network_reason_code dispute_id charge_id payment_intent_id",
        reason="While a dispute is open nothing is erased: the bank decides with the evidence, "
        "and a legal claim needs it (GDPR, article 17(3)(e)).",
    ),
    "preorders.DisputeTransition": guest(
        "reason actor",
        Erasure.BLANKED,
        export=Export.ON_REQUEST,
        other=_TRANSITION,
        reason="The team's reasons are blanked; whose act it was stays.",
    ),
    "preorders.EarlyFraudWarning": none("fraud_type warning_id"),
    "billing.Discrepancy": guest(
        "resolution resolved_by",
        Erasure.BLANKED,
        other="payment_intent_id description",
        export=Export.ON_REQUEST,
        reason="What staff did about a payment is blanked; that something was wrong stays.",
    ),
    "djstripe.WebhookEventTrigger": guest(
        "body",
        Erasure.EXPIRES,
        other="headers remote_ip exception traceback djstripe_version",
        export=Export.NOTHING,
        reason="Blanked to id and type once processed; one that fails is kept for 30 days at most. "
        "The address is Stripe's.",
    ),
    "djstripe.Event": guest(
        "data stripe_data",
        Erasure.EXPIRES,
        other="id metadata api_version request_id idempotency_key type",
        export=Export.NOTHING,
        reason="Blanked to id and type in the transaction that processes it.",
    ),
    # --- the platform's operation ---
    "admin_ops.Backup": none(),
    "monitoring.Alarm": Holding(
        Whose.MEMBER,
        ("acknowledged_by", "note"),
        ("name", "detail"),
        export=Export.ON_REQUEST,
        erasure=Erasure.EXPIRES,
        reason="Which of the staff looked after an alarm, and how; deleted after a year.",
    ),
    "monitoring.AlarmNotice": none("error"),
    "monitoring.AlarmCheck": none(),
    # --- owners and team members ------------------------------------------------------------------
    "accounts.User": member("email name password", Erasure.DELETED),
    "accounts.BearerToken": member("name digest", Erasure.DELETED),
    # Ids and a truncated address; an account that is deleted takes its name along.
    "activity.LoggedEvent": member(
        "address device",
        Erasure.EXPIRES,
        export=Export.ON_REQUEST,
        other="kind object_kind object_id request_id details",
        reason="A log that can be changed proves nothing; the account page shows the person's own.",
    ),
    "accounts.EmailConfirmation": member("email", Erasure.DELETED, other="digest"),
    "account.EmailAddress": member("email", Erasure.DELETED),
    "account.EmailConfirmation": member(
        "key", Erasure.DELETED, export=Export.NOTHING, is_empty=True
    ),
    "mfa.Authenticator": member("data", Erasure.DELETED),
    "usersessions.UserSession": member("ip user_agent session_key data", Erasure.DELETED),
    "sessions.Session": member("session_key session_data", Erasure.DELETED, export=Export.SECRET),
    "socialaccount.SocialAccount": member("uid extra_data", Erasure.DELETED, other="provider"),
    "socialaccount.SocialToken": member(
        "token token_secret",
        Erasure.DELETED,
        export=Export.SECRET,
        is_empty=True,
        reason="SOCIALACCOUNT_STORE_TOKENS is off.",
    ),
    "restaurants.Membership": member("", Erasure.DELETED),
    "preorders.NoticePreference": member("", Erasure.DELETED),
    "restaurants.Invitation": member("email", Erasure.DELETED, other="digest"),
    "restaurants.Restaurant": member(
        "owner_name phone email new_email billing_email terms_agreed_from",
        Erasure.BLANKED,
        other="schema_name name business_name description spanish_description street_address city "
        "state zip_code country timezone website cuisine_type tax_number hours_of_operation "
        "dine_in_note pickup_note spanish_dine_in_note spanish_pickup_note social_media_links "
        "payment_customer_id currency slug subdomain domain "
        "registration_step tier_type next_tier branding_options settings terms_version",
        reason="Blanked when its last owner leaves. The business's name and address stay: its "
        "invoices and the ledger refer to them.",
    ),
    "billing.SubscriptionSignUp": member(
        "email name terms_agreed_from customer_id payment_method_id",
        Erasure.BLANKED,
        other="currency payment_intent_id invoice_id",
        export=Export.ON_REQUEST,
        reason="The payment stays, without who made it. One that was never made is deleted after a "
        "day.",
    ),
    "restaurants.SupportVisit": member(
        "",
        Erasure.RETAINED,
        other="reason",
        reason="Why staff looked at the restaurant, in their words; who it was is forgotten.",
    ),
    "restaurants.RestaurantTransition": member(
        "actor", Erasure.RENAMED, other=f"{_TRANSITION} reason"
    ),
    "offers.OfferTransition": member("actor", Erasure.RENAMED, other=f"{_TRANSITION} reason"),
    "preorders.GuestMessage": member("by", Erasure.RENAMED, other="text"),
    "offers.OfferChange": member("by", Erasure.RENAMED, other="detail"),
    "preorders.ExpirationRun": member(
        "started_by",
        Erasure.EXPIRES,
        export=Export.NOTHING,
        reason="Staff's names: who started a run.",
    ),
    "preorders.SettlementPause": member(
        "reason started_by ended_by",
        Erasure.RETAINED,
        export=Export.NOTHING,
        reason="Staff's names and reasons: who paused settlement and who continued it.",
    ),
    "marketing.Announcement": member(
        "",
        Erasure.RETAINED,
        other="message short_message digest special_offer_ids platforms",
        reason="The restaurant's own text; who wrote it is forgotten.",
    ),
    "marketing.Campaign": member(
        "",
        Erasure.RETAINED,
        other="subject note",
        reason="The restaurant's own text; who wrote it is forgotten.",
    ),
    "marketing.EmailAnnouncementUsage": none("announcement_message tier_type special_offer_ids"),
    "djstripe.Account": member(
        "stripe_data metadata",
        Erasure.BLANKED,
        other="id",
        export=Export.NOTHING,
        reason="Copied by dj-stripe for an event of the restaurant's account, and blanked to its "
        "id in the same transaction. What Stripe knows is in its own dashboard.",
    ),
    # --- visitors ---------------------------------------------------------------------------------
    "marketing.DemoLead": Holding(
        Whose.VISITOR,
        _words("email ip_address user_agent referrer_url"),
        _words("completed_steps"),
        Export.ACCOUNT_PAGE,
        Erasure.DELETED,
        "Without an account, by the command erase_person.",
    ),
    "restaurants.IncompleteRegistration": Holding(
        Whose.VISITOR,
        _words("email name"),
        _words("state country subscription_tier slug registration_step"),
        Export.ACCOUNT_PAGE,
        Erasure.DELETED,
        "Without an account, by the command erase_person.",
    ),
    # --- nobody's ---------------------------------------------------------------------------------
    "integrations.WebhookEndpoint": none(
        "url description event_types secret previous_secret",
        "The restaurant's own programs; the secrets are encrypted.",
    ),
    "integrations.WebhookEvent": none("type body", "Ids, codes and amounts; nobody's name."),
    "integrations.WebhookDelivery": none(),
    "integrations.WebhookAttempt": none(
        "response_body error", "What the restaurant's own program answered, for 30 days."
    ),
    "billing.ConnectAccount": none(
        "account_id requirements country currency",
        "Names of what Stripe still needs, not the answers.",
    ),
    "billing.MonthlyBillingCycle": none("subscription_tier chain_head"),
    "billing.PaymentHistory": none(
        "currency settled_currency payment_intent_id transfer_id reference",
        "The ledger: amounts and Stripe's ids, which accounting law requires.",
    ),
    "billing.Conversion": none("currency"),
    "billing.LedgerChain": none("head"),
    "billing.LedgerSeal": none("hash", "Made of a ledger entry, which names nobody."),
    "billing.PlatformFee": none("transfer_id payment_intent_id"),
    "billing.FeeInvoice": none(
        "currency jurisdiction billed_to",
        "The business's name and address as they were: accounting law requires it.",
    ),
    "billing.Payout": none("currency payout_id failure_code"),
    "billing.PayoutEntry": none(),
    "billing.StripeFee": none("movement_id kind source_id payment_intent_id currency"),
    "billing.WalletDomain": none("host domain_id problem"),
    "billing.Subscription": none("subscription_id status currency"),
    "billing.ProcessedEvent": none("stripe_event_id payment_intent_id event_type"),
    "billing.ReconciliationProgress": none("name cursor"),
    "preorders.ExpirationSchedule": none(),
    "offers.Photo": none("widths"),
    "offers.Dish": none("name description translations allergens dietary"),
    "offers.SpecialOffer": none(
        "name description story public_reason translations allergens dietary"
    ),
    "offers.OfferVersion": none(
        "name description translations allergens dietary alternative_name alternative_description "
        "alternative_translations alternative_allergens alternative_dietary"
    ),
    "offers.OfferPhoto": none(),
    "offers.PickupSlot": none(),
    "offers.OfferViews": none(),
    "preorders.PickupCheckIn": none(),
    "preorders.PushSubscription": guest(
        "endpoint p256dh auth",
        Erasure.EXPIRES,
        export=Export.SECRET,
        reason="An address at a push service, which only the browser's maker can connect to a "
        "person; it is deleted with the special's deadline, and by one press in the browser.",
        other="language",
    ),
    "preorders.PushMessage": none(),
    "offers.OfferSeries": none(),
    "offers.SeriesDate": none("refusal"),
    "offers.CalendarFeed": none(),
    "restaurants.Domain": none("domain"),
    "restaurants.FormerAddress": none("host"),
    "offers.Branding": none("accent footer menu_layout"),
    "restaurants.OwnDomain": none("host token status ownership routing"),
    "accounts.User_groups": none(),
    "accounts.User_user_permissions": none(),
    "admin.LogEntry": Holding(
        Whose.NONE, reason="What staff do is in the activity log.", is_empty=True
    ),
    "auth.Group": none("name"),
    "auth.Group_permissions": none(),
    "auth.Permission": none("name codename"),
    "contenttypes.ContentType": none("app_label model"),
    "socialaccount.SocialApp": none(
        "provider provider_id name client_id secret key settings", "Configured by settings instead."
    ),
    "djstripe.WebhookEndpoint": none(
        "stripe_data id metadata api_version enabled_events secret url application"
    ),
    "djstripe.APIKey": none("stripe_data id name secret"),
    "djstripe.IdempotencyKey": none("action"),
}
# dj-stripe's other tables would copy what Stripe knows about people. The product has it copy
# nothing (decision 9), so they are empty, which a test checks after a full history.
EMPTY_APP = "djstripe"
EMPTY = Holding(Whose.NONE, reason="dj-stripe copies nothing here.", is_empty=True)


def holding_of(label: str) -> Holding | None:
    """What the model with this label (`app.Model`) holds; None if it isn't listed."""
    found = HOLDINGS.get(label)
    if found is None and label.startswith(f"{EMPTY_APP}."):
        return EMPTY
    return found
