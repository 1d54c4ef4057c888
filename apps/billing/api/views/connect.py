"""The payment account: where it stands, and the ways to the processor's pages (A30–A33)."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.rate_limits import Limit
from apps.billing import services
from apps.billing.models import ConnectAccount
from apps.billing.payment_setup import PaymentSetupStatus, SetupAction, describe
from apps.billing.services import AccountReading
from apps.common import clock
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Restaurant

# Each makes a link at the processor, which counts our calls.
LINKS = Limit("connect-links", times=20, window=10 * 60)
UNKNOWN_RETURN = "Come back to one of: {}.".format(", ".join(services.RETURN_PATHS))
NOT_A_SWITCH = "Say true to open it in a new tab, or false."


class RequirementsSerializer(serializers.Serializer[Any]):
    """The processor's own names for what it asks for."""

    currently_due = serializers.ListField(child=serializers.CharField())
    eventually_due = serializers.ListField(child=serializers.CharField())


class SetupSerializer(serializers.Serializer[Any]):
    """Where the set-up stands, in words for the owner."""

    state = serializers.ChoiceField(choices=[str(each) for each in PaymentSetupStatus])
    headline = serializers.CharField()
    sentence = serializers.CharField()
    action = serializers.ChoiceField(
        choices=[str(each) for each in SetupAction],
        help_text="What mends it: the set-up, or the processor's dashboard.",
    )
    actionLabel = serializers.CharField(source="action_label")
    todo = serializers.ListField(
        child=serializers.CharField(), help_text="What is asked for now, in words."
    )
    later = serializers.ListField(
        child=serializers.CharField(), help_text="What will be asked for some day."
    )
    takesOrders = serializers.BooleanField(
        source="takes_orders", help_text="Whether guests can pre-order."
    )


class ConnectStatusSerializer(serializers.Serializer[AccountReading]):
    """The names of the columns are the processor's, as the contract has them (A30)."""

    connected = serializers.SerializerMethodField(help_text="Whether there is an account.")
    accountId = serializers.SerializerMethodField()
    details_submitted = serializers.SerializerMethodField()
    charges_enabled = serializers.SerializerMethodField()
    payouts_enabled = serializers.SerializerMethodField()
    requirements = serializers.SerializerMethodField()
    setup = serializers.SerializerMethodField()
    syncedAt = serializers.SerializerMethodField(help_text="When the processor was last heard.")
    isCurrent = serializers.BooleanField(
        source="is_current", help_text="False when the processor did not answer just now."
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
        return dict(SetupSerializer(describe(reading.account)).data)

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_syncedAt(self, reading: AccountReading) -> str | None:
        return reading.account.synced_at.isoformat() if reading.account else None


def stored_status(restaurant: Restaurant) -> dict[str, Any]:
    """What is known of the restaurant's account, without asking the processor: for a page."""
    account: ConnectAccount | None = getattr(restaurant, "connect_account", None)
    return dict(ConnectStatusSerializer(AccountReading(account, is_current=True)).data)


class OnboardingInput(serializers.Serializer[Any]):
    # Taken because the contract has it; the link is the same, and the caller opens it (X37).
    embedded = serializers.BooleanField(
        default=False,
        error_messages=dict.fromkeys(("invalid", "null"), NOT_A_SWITCH),
        help_text="Whether the caller opens it in a new tab.",
    )
    returnTo = serializers.ChoiceField(
        choices=services.RETURN_PATHS,
        default=services.SETTINGS_PATH,
        error_messages=dict.fromkeys(("invalid_choice", "null"), UNKNOWN_RETURN),
        help_text="Which of our pages the processor leads back to.",
    )


class LinkSerializer(serializers.Serializer[Any]):
    url = serializers.URLField()


class ConnectStatusView(RestaurantView):
    """Where the payment account stands."""

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "refresh", bool, description="Ask the processor, however fresh what we know is."
            )
        ],
        responses=ConnectStatusSerializer,
    )
    def get(self, request: Request) -> Response:
        asked = request.query_params.get("refresh", "").lower() in ("1", "true")
        reading = services.read_account(restaurant=self.restaurant, now=clock.now(), asked=asked)
        return Response(ConnectStatusSerializer(reading).data)


class ConnectOnboardingView(RestaurantView):
    """A link to the processor's own set-up pages; it works once, for some minutes."""

    @extend_schema(request=OnboardingInput, responses=LinkSerializer)
    def post(self, request: Request) -> Response:
        form = OnboardingInput(data=request.data)
        form.is_valid(raise_exception=True)
        return _onboarding(self.restaurant, form.validated_data["returnTo"])


class StripeOnboardingView(RestaurantView):
    """The same under its other address (DECISIONS X36)."""

    @extend_schema(request=None, responses=LinkSerializer)
    def post(self, request: Request) -> Response:
        return _onboarding(self.restaurant, services.SETTINGS_PATH)


def _onboarding(restaurant: Restaurant, return_to: str) -> Response:
    LINKS.count(str(restaurant.pk))
    url = services.begin_onboarding(restaurant=restaurant, now=clock.now(), return_to=return_to)
    return Response(LinkSerializer({"url": url}).data)


class ConnectDashboardView(RestaurantView):
    """A link to the restaurant's own dashboard at the processor. While there is none yet: 409 with
    `needsOnboarding`."""

    @extend_schema(request=None, responses=LinkSerializer)
    def post(self, request: Request) -> Response:
        LINKS.count(str(self.restaurant.pk))
        url = services.open_dashboard(restaurant=self.restaurant, now=clock.now())
        return Response(LinkSerializer({"url": url}).data)
