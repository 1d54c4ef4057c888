"""Serializers of the owner's page of one offer."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.fields import currency_field
from apps.offers.api import fields
from apps.offers.api.fields import MarksField
from apps.offers.api.serializers.specials import SpecialSerializer
from apps.offers.dietary import Allergen, Diet
from apps.offers.models import OfferChange
from apps.preorders.core.outcome import OfferOutcome
from apps.preorders.core.referrals import ReferralTotals
from apps.preorders.core.transitions import MAX_REASON_LENGTH
from apps.preorders.models import WaitlistEntry
from apps.preorders.models.emails import MESSAGE_LENGTH
from apps.preorders.settlement.offer_cancellation import REASON_NEEDED
from apps.preorders.special.messages import MessagePreview
from apps.preorders.special.overview import Overview, RescueOptions
from apps.preorders.special.rehearsal import Group, Rehearsal
from apps.preorders.special.rescue import (
    Extend,
    GoAhead,
    LowerMinimum,
    RescueAction,
    RescuePreview,
    RestaurantPortions,
)
from apps.preorders.special.timeline import Timeline

RESCUE_ACTIONS = ("lower_minimum", "go_ahead", "restaurant_portions", "extend")
REQUIRED_FIELD = {"lower_minimum": "minimum", "restaurant_portions": "portions", "extend": "until"}


class MoneyField(serializers.DecimalField):
    """`Money` as a decimal; null for users who can't see amounts (`context["money"]`)."""

    def __init__(self, **options: Any) -> None:
        super().__init__(12, 2, read_only=True, allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        if not self.context.get("money"):
            return None
        return super().to_representation(value.amount)


class GroupSerializer(serializers.Serializer[Group]):
    orders = serializers.IntegerField()
    portions = serializers.IntegerField()
    amount = MoneyField()


class RehearsalSumsSerializer(serializers.Serializer[Any]):
    gross = MoneyField(help_text="Including tax.")
    tax = MoneyField()
    revenueShare = MoneyField(source="revenue_share")
    processingFee = MoneyField(source="processing_fee")
    payout = MoneyField()


class RehearsalSerializer(serializers.Serializer[Rehearsal]):
    """What would happen if the offer closed now."""

    goesAhead = serializers.BooleanField(source="goes_ahead")
    portions = serializers.IntegerField(help_text="Including restaurant portions.")
    minimum = serializers.IntegerField()
    restaurantPortions = serializers.IntegerField(source="restaurant_portions")
    waiting = serializers.IntegerField(help_text="Portions in open checkouts.")
    charged = GroupSerializer()
    alternative = GroupSerializer()
    released = GroupSerializer()
    refunded = GroupSerializer()
    sums = RehearsalSumsSerializer()
    sentence = serializers.CharField()


class OutcomeRecordSerializer(serializers.Serializer[Any]):
    decided = serializers.IntegerField()
    succeeded = serializers.IntegerField()


class OutcomeSerializer(serializers.Serializer[OfferOutcome]):
    """The result of a decided offer, from its orders and the ledger."""

    sentence = serializers.CharField()
    chargedOrders = serializers.IntegerField(source="charged_orders")
    chargedPortions = serializers.IntegerField(source="charged_portions")
    unsettled = serializers.IntegerField()
    lapsed = serializers.IntegerField(help_text="Orders whose charge failed for good.")
    pickedUp = serializers.IntegerField(source="picked_up")
    noShows = serializers.IntegerField(source="no_shows")
    gross = MoneyField()
    refunded = MoneyField()
    revenueShare = MoneyField(source="revenue_share")
    processingFee = MoneyField(source="processing_fee")
    payout = MoneyField()
    payoutDay = serializers.DateField(
        source="payout_day", help_text="When what the restaurant receives is sent to its bank."
    )
    record = OutcomeRecordSerializer()


class TimelinePointSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    portions = serializers.IntegerField()
    minimum = serializers.IntegerField()


class TimelineSerializer(serializers.Serializer[Timeline]):
    points = TimelinePointSerializer(many=True)
    endsAt = serializers.DateTimeField(source="ends_at")


class PromiseInput(serializers.Serializer[Any]):
    """What a dish would become; fields that are left out stay as they are."""

    name = serializers.CharField(max_length=200, required=False)
    description = serializers.CharField(
        max_length=2000, required=False, allow_blank=True, allow_null=True
    )
    allergens = MarksField(Allergen, required=False)
    dietary = MarksField(Diet, required=False)

    def validate_description(self, value: str | None) -> str:
        return value or ""


class GuestsToTellSerializer(serializers.Serializer[Any]):
    guests = serializers.IntegerField(
        help_text="How many guests would be told by email, and could cancel for free."
    )


class OfferChangeSerializer(serializers.Serializer[OfferChange]):
    at = serializers.DateTimeField()
    kind = serializers.ChoiceField(OfferChange.Kind.choices)
    detail = serializers.CharField()
    guestsTold = serializers.IntegerField(
        source="guests_told", help_text="How many guests who had ordered were told by email."
    )
    by = serializers.CharField()


class RescueOptionsSerializer(serializers.Serializer[RescueOptions]):
    atRisk = serializers.BooleanField(source="at_risk")
    goesAhead = serializers.BooleanField(source="goes_ahead")
    minimum = serializers.IntegerField()
    suggestedMinimum = serializers.IntegerField(source="suggested_minimum", allow_null=True)
    restaurantPortions = serializers.IntegerField(source="restaurant_portions")
    restaurantPortionsLeft = serializers.IntegerField(
        source="restaurant_portions_left", allow_null=True
    )
    restaurantPortionsToKeep = serializers.IntegerField(
        source="restaurant_portions_to_keep",
        help_text="How many of them the restaurant can't take back anymore.",
    )
    latestDeadline = serializers.DateTimeField(source="latest_deadline", allow_null=True)
    latestReason = serializers.CharField(source="latest_reason")


class ReferralTotalsSerializer(serializers.Serializer[ReferralTotals]):
    """Visits and orders through guests' share links."""

    visits = serializers.IntegerField()
    orders = serializers.IntegerField()
    portions = serializers.IntegerField()


class WaitlistEntrySerializer(serializers.Serializer[WaitlistEntry]):
    """A waitlist entry; names and contacts are only for users who can see orders."""

    id = serializers.UUIDField()
    name = serializers.SerializerMethodField()
    email = serializers.SerializerMethodField()
    phone = serializers.SerializerMethodField()
    portions = serializers.IntegerField()
    joinedAt = serializers.DateTimeField(source="joined_at")
    reservedUntil = serializers.DateTimeField(
        source="reserved_until", allow_null=True, help_text="When the reserved portions expire."
    )

    def get_name(self, entry: WaitlistEntry) -> str | None:
        return entry.name if self.context.get("people") else None

    def get_email(self, entry: WaitlistEntry) -> str | None:
        return entry.email if self.context.get("people") else None

    def get_phone(self, entry: WaitlistEntry) -> str | None:
        return entry.phone if self.context.get("people") else None


class OverviewSerializer(serializers.Serializer[Overview]):
    special = SpecialSerializer()
    currency = currency_field("special.restaurant.currency")
    rehearsal = RehearsalSerializer(allow_null=True)
    outcome = OutcomeSerializer(allow_null=True)
    timeline = TimelineSerializer()
    changes = OfferChangeSerializer(many=True)
    shared = ReferralTotalsSerializer()
    waitlist = WaitlistEntrySerializer(many=True, help_text="The waitlist, in order.")
    rescue = serializers.SerializerMethodField(help_text="Null if nothing can be changed.")

    @extend_schema_field(RescueOptionsSerializer(allow_null=True))
    def get_rescue(self, overview: Overview) -> Any:
        if overview.rescue is None or not self.context.get("rescue"):
            return None
        return RescueOptionsSerializer(overview.rescue).data


class RescueInput(serializers.Serializer[Any]):
    """One action. `lower_minimum` needs `minimum`, `restaurant_portions` the total `portions`, and
    `extend` needs `until`."""

    action = serializers.ChoiceField(
        RESCUE_ACTIONS,
        error_messages=dict.fromkeys(("required", "null", "invalid_choice"), "Choose an action."),
    )
    minimum = fields.PortionsField(
        required=False, **fields.portions("The minimum must be at least 1")
    )
    portions = fields.PortionsField(
        required=False,
        **fields.portions("Enter the number of restaurant portions") | {"min_value": 0},
    )
    until = fields.MomentField(required=False, error_messages={"null": fields.INVALID_MOMENT})

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = REQUIRED_FIELD.get(attrs["action"])
        if needed and needed not in attrs:
            messages = self.fields[needed].error_messages
            raise serializers.ValidationError(
                {needed: messages.get("min_value") or messages["invalid"]}
            )
        return attrs

    def requested_action(self) -> RescueAction:
        """The requested action; call it after validation."""
        asked = self.validated_data
        match asked["action"]:
            case "lower_minimum":
                return LowerMinimum(asked["minimum"])
            case "restaurant_portions":
                return RestaurantPortions(asked["portions"])
            case "extend":
                return Extend(asked["until"])
        return GoAhead()


class OfferCancellationInput(serializers.Serializer[Any]):
    reason = serializers.CharField(
        max_length=MAX_REASON_LENGTH,
        help_text="Guests read it in the email that tells them.",
        error_messages={
            **dict.fromkeys(("required", "null", "blank"), REASON_NEEDED),
            "max_length": f"Use at most {MAX_REASON_LENGTH} characters for the reason.",
        },
    )
    isReasonPublic = serializers.BooleanField(
        default=False, help_text="Whether the special's page shows the reason, too."
    )


class CancelledOfferSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()
    offerName = serializers.CharField()
    orders = serializers.IntegerField(help_text="How many orders ended with the special.")


class GuestMessageInput(serializers.Serializer[Any]):
    text = serializers.CharField(
        max_length=MESSAGE_LENGTH,
        help_text="Plain text; every line becomes a paragraph of the email.",
        error_messages={
            **dict.fromkeys(("required", "null", "blank"), "Write your message first."),
            "max_length": f"Use at most {MESSAGE_LENGTH:,} characters.",
        },
    )


class GuestMessagePreviewSerializer(serializers.Serializer[MessagePreview]):
    """What the first guest would read, in their language."""

    guests = serializers.IntegerField()
    subject = serializers.CharField(source="text.subject")
    headline = serializers.CharField(source="text.headline")
    paragraphs = serializers.ListField(child=serializers.CharField(), source="text.paragraphs")


class GuestMessageSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()
    guests = serializers.IntegerField(help_text="How many guests it was sent to.")


class TrialSerializer(serializers.Serializer[RescuePreview]):
    """The preview of an action."""

    sentence = serializers.CharField()
    rehearsal = RehearsalSerializer()
    currency = serializers.SerializerMethodField(
        help_text="The currency of the amounts here, such as `usd`."
    )

    def get_currency(self, preview: RescuePreview) -> str:
        return str(self.context["currency"])
