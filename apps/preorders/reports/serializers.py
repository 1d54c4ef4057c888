"""Serializers of the analytics."""

from datetime import date, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.offers.states import was_successful, wire_status
from apps.preorders.reports.analytics import Analytics, Figures, OfferFigures, Period, Totals

DEFAULT_DAYS = 30
MAX_DAYS = 731
INVALID_DAY = "Enter days as YYYY-MM-DD"
FIRST_AFTER_LAST = "The first day can't be after the last"
TOO_LONG = "Choose a period of at most two years"
EARLIEST_DAY = date(2000, 1, 1)
MAX_AHEAD = timedelta(days=366)
OUT_OF_RANGE = "Choose days between 2000 and a year from now"


class FiguresSerializer(serializers.Serializer[Figures]):
    views = serializers.IntegerField()
    orders = serializers.IntegerField()
    portions = serializers.IntegerField()
    conversion = serializers.DecimalField(
        6, 1, allow_null=True, help_text="Online orders per hundred visits."
    )
    revenue = serializers.DecimalField(
        12, 2, help_text="Charges minus refunds, by the day of the transaction."
    )
    payout = serializers.DecimalField(12, 2, help_text="The revenue minus both fees.")


class TotalsSerializer(serializers.Serializer[Totals]):
    figures = FiguresSerializer()
    decidedOffers = serializers.IntegerField(source="decided")
    successfulOffers = serializers.IntegerField(source="successful")
    successRate = serializers.DecimalField(4, 1, source="success_rate", allow_null=True)
    guests = serializers.IntegerField()
    repeatGuests = serializers.IntegerField(source="repeat_guests")
    repeatRate = serializers.DecimalField(4, 1, source="repeat_rate", allow_null=True)


class StepSerializer(serializers.Serializer[Any]):
    start = serializers.DateField()
    figures = FiguresSerializer()


class OfferFiguresSerializer(serializers.Serializer[OfferFigures]):
    id = serializers.UUIDField(source="offer.pk")
    name = serializers.CharField(source="offer.name")
    serveDate = serializers.DateField(source="offer.serve_date")
    status = serializers.SerializerMethodField()
    wasSuccessful = serializers.SerializerMethodField()
    figures = FiguresSerializer()

    def get_status(self, row: OfferFigures) -> str:
        return wire_status(row.offer.status)

    def get_wasSuccessful(self, row: OfferFigures) -> bool | None:
        return was_successful(row.offer.status)


class PeriodSerializer(serializers.Serializer[Period]):
    first = serializers.DateField()
    last = serializers.DateField()


class AnalyticsSerializer(serializers.Serializer[Analytics]):
    period = PeriodSerializer()
    totals = TotalsSerializer()
    periodBefore = PeriodSerializer(source="period.before")
    before = TotalsSerializer()
    unit = serializers.ChoiceField(["day", "week"])
    series = serializers.SerializerMethodField()
    offers = OfferFiguresSerializer(many=True)
    offersLeftOut = serializers.IntegerField(source="offers_left_out")
    currency = serializers.SerializerMethodField(
        help_text="The currency of all amounts, such as `usd`."
    )

    def get_currency(self, analytics: Analytics) -> str:
        return str(self.context["currency"])

    @extend_schema_field(StepSerializer(many=True))
    def get_series(self, analytics: Analytics) -> Any:
        steps = [{"start": day, "figures": each} for day, each in analytics.series.items()]
        return StepSerializer(steps, many=True).data


class AnalyticsQuery(serializers.Serializer[Any]):
    """The requested period; by default the last thirty days, including today."""

    to = serializers.DateField(required=False, error_messages={"invalid": INVALID_DAY})
    offer = serializers.UUIDField(
        required=False, error_messages={"invalid": "Send the special's id"}
    )

    def get_fields(self) -> Any:
        # `from` is a Python keyword, so it can't be a class attribute.
        first = serializers.DateField(required=False, error_messages={"invalid": INVALID_DAY})
        return {"from": first, **super().get_fields()}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        today = self.context["today"]
        last = attrs.get("to", today)
        # Avoids an OverflowError at date.min; such a period is rejected below anyway.
        usual = max(last, EARLIEST_DAY) - timedelta(days=DEFAULT_DAYS - 1)
        first = attrs.get("from", usual)
        for sentence, wrong in (
            (OUT_OF_RANGE, first < EARLIEST_DAY or last > today + MAX_AHEAD),
            (FIRST_AFTER_LAST, first > last),
            (TOO_LONG, (last - first).days >= MAX_DAYS),
        ):
            if wrong:
                raise serializers.ValidationError({"from": sentence})
        return {"period": Period(first, last), "offer_id": attrs.get("offer")}
