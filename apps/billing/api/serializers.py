"""Serializers of payment setup and subscriptions."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.api.serializers import FormProofInput
from apps.billing import services
from apps.billing.payment_setup import PaymentSetupStatus, SetupAction, describe
from apps.billing.services import AccountReading
from apps.billing.subscriptions.portal import SubscriptionStatus
from apps.restaurants.api.serializers.sign_in import SignedInSerializer


class SubscriptionSerializer(serializers.Serializer[SubscriptionStatus]):
    tier = serializers.CharField()
    status = serializers.CharField(help_text="Stripe's value, or `active` without one.")
    currentPeriodEnd = serializers.DateTimeField(source="current_period_end", allow_null=True)
    hasStripeCustomer = serializers.BooleanField(source="has_stripe_customer")
    price = serializers.CharField(
        allow_blank=True, help_text="The price of a month, formatted; empty without a subscription."
    )
    endsAtPeriodEnd = serializers.BooleanField(
        source="ends_at_period_end", help_text="Canceled, and paid until `currentPeriodEnd`."
    )
    canCancel = serializers.BooleanField(source="can_cancel")
    payBy = serializers.DateTimeField(
        source="pay_by",
        allow_null=True,
        help_text="After a failed renewal: until when the restaurant can publish unpaid.",
    )
    isLapsed = serializers.BooleanField(
        source="is_lapsed", help_text="Whether the restaurant can't publish until it is paid."
    )


class BillingPortalSerializer(serializers.Serializer[Any]):
    portalUrl = serializers.URLField()


TOO_LONG = "Use at most {max_length} characters."
INVALID_EMAIL = "Enter a valid email address."
NO_AMOUNT = "Send the monthly price in cents, as a whole number."
NO_CURRENCY = "Send the price's currency, such as `usd`."
NO_PAYMENT = "Send the ID of the payment intent."
NOT_AGREED = "Send true once the owner agreed to the terms."
_ABSENT = ("required", "null", "blank", "invalid")


class _SignUpDetails(serializers.Serializer[Any]):
    email = serializers.EmailField(
        max_length=255,
        required=False,
        allow_blank=True,
        error_messages=dict.fromkeys(("null", "invalid", "max_length"), INVALID_EMAIL),
    )
    name = serializers.CharField(
        max_length=100,
        required=False,
        allow_blank=True,
        error_messages={"max_length": TOO_LONG},
        help_text="The restaurant's.",
    )
    acceptedTerms = serializers.BooleanField(
        required=False,
        source="has_agreed",
        error_messages=dict.fromkeys(("null", "invalid"), NOT_AGREED),
        help_text="Whether the owner agreed to the terms and to the monthly charge.",
    )


class SubscriptionPaymentInput(_SignUpDetails, FormProofInput):
    """The price as the client shows it, which must be the current one, and what is known of the
    owner: with it, a payment whose browser goes away is finished without it."""

    amount = serializers.IntegerField(
        error_messages=dict.fromkeys(
            ("required", "null", "invalid", "max_string_length"), NO_AMOUNT
        )
    )
    currency = serializers.CharField(
        max_length=3, error_messages=dict.fromkeys((*_ABSENT, "max_length"), NO_CURRENCY)
    )


class SubscriptionPaymentSerializer(serializers.Serializer[Any]):
    clientSecret = serializers.CharField(
        source="client_secret",
        allow_blank=True,
        help_text="Stripe's script confirms it with a card; empty if the month is already paid.",
    )
    paymentIntentId = serializers.CharField(source="sign_up.payment_intent_id")
    isPaid = serializers.BooleanField(source="is_paid")


class RegisterSubscriberInput(_SignUpDetails):
    paymentIntentId = serializers.CharField(
        max_length=255, error_messages=dict.fromkeys((*_ABSENT, "max_length"), NO_PAYMENT)
    )


class SubscriberSerializer(SignedInSerializer):
    nextUrl = serializers.CharField(
        source="next_url", help_text="The page where the owner continues."
    )


UNKNOWN_RETURN = "Choose one of these pages to return to: {}.".format(
    ", ".join(services.RETURN_PATHS)
)
NOT_A_BOOLEAN = "Send true to open it in a new tab, otherwise false."


class RequirementsSerializer(serializers.Serializer[Any]):
    """Stripe's own names for what it requires."""

    currently_due = serializers.ListField(child=serializers.CharField())
    eventually_due = serializers.ListField(child=serializers.CharField())


class SetupSerializer(serializers.Serializer[Any]):
    """The status of the payment setup, in words for the owner."""

    state = serializers.ChoiceField(choices=[str(each) for each in PaymentSetupStatus])
    headline = serializers.CharField()
    sentence = serializers.CharField()
    action = serializers.ChoiceField(
        choices=[str(each) for each in SetupAction],
        help_text="What the owner can do next: continue onboarding, or open the Stripe dashboard.",
    )
    actionLabel = serializers.CharField(source="action_label")
    todo = serializers.ListField(
        child=serializers.CharField(), help_text="What Stripe needs now, in words."
    )
    later = serializers.ListField(
        child=serializers.CharField(), help_text="What Stripe will need eventually, in words."
    )
    takesOrders = serializers.BooleanField(
        source="takes_orders", help_text="Whether guests can pre-order."
    )


class ConnectStatusSerializer(serializers.Serializer[AccountReading]):
    """The payment account. Some fields keep Stripe's names, as the API contract specifies."""

    connected = serializers.SerializerMethodField(help_text="Whether there is an account.")
    accountId = serializers.SerializerMethodField()
    details_submitted = serializers.SerializerMethodField()
    charges_enabled = serializers.SerializerMethodField()
    payouts_enabled = serializers.SerializerMethodField()
    requirements = serializers.SerializerMethodField()
    setup = serializers.SerializerMethodField()
    syncedAt = serializers.SerializerMethodField(help_text="When it was last read from Stripe.")
    isCurrent = serializers.BooleanField(
        source="is_current", help_text="False if Stripe didn't answer just now."
    )

    def get_connected(self, reading: AccountReading) -> bool:
        return reading.account is not None

    def get_accountId(self, reading: AccountReading) -> str | None:
        return reading.account.account_id if reading.account else None

    def get_details_submitted(self, reading: AccountReading) -> bool:
        return reading.details_submitted

    def get_charges_enabled(self, reading: AccountReading) -> bool:
        return reading.account is not None and reading.account.charges_enabled

    def get_payouts_enabled(self, reading: AccountReading) -> bool:
        return reading.account is not None and reading.account.payouts_enabled

    @extend_schema_field(RequirementsSerializer)
    def get_requirements(self, reading: AccountReading) -> dict[str, list[str]]:
        asked = reading.account.requirements if reading.account else {}
        return {name: asked.get(name, []) for name in ("currently_due", "eventually_due")}

    @extend_schema_field(SetupSerializer)
    def get_setup(self, reading: AccountReading) -> dict[str, Any]:
        return dict(SetupSerializer(describe(reading.account, country=reading.country)).data)

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_syncedAt(self, reading: AccountReading) -> str | None:
        return reading.account.synced_at.isoformat() if reading.account else None


class OnboardingInput(serializers.Serializer[Any]):
    # Part of the API contract; it doesn't change the link, which the caller opens (DECISIONS X37).
    embedded = serializers.BooleanField(
        default=False,
        error_messages=dict.fromkeys(("invalid", "null"), NOT_A_BOOLEAN),
        help_text="Whether the caller opens it in a new tab.",
    )
    returnTo = serializers.ChoiceField(
        choices=services.RETURN_PATHS,
        default=services.SETTINGS_PATH,
        error_messages=dict.fromkeys(("invalid_choice", "null"), UNKNOWN_RETURN),
        help_text="The page that Stripe returns to.",
    )


class LinkSerializer(serializers.Serializer[Any]):
    url = serializers.URLField()
