"""Serializers of the dashboard's first view."""

from typing import Any

from rest_framework import serializers

from apps.preorders.manage.today import Result, Today


class SpecialResultSerializer(serializers.Serializer[Result]):
    """How a special ended; amounts are null for members who don't see the ledger."""

    offerId = serializers.UUIDField(source="offer.pk")
    offerName = serializers.CharField(source="offer.name")
    serveDate = serializers.DateField(source="offer.serve_date")
    decidedAt = serializers.DateTimeField(source="offer.decided_at")
    succeeded = serializers.BooleanField()
    sentence = serializers.CharField(source="outcome.sentence")
    portions = serializers.IntegerField(source="offer.ordered_portions")
    minimum = serializers.IntegerField(source="offer.min_preorders")
    chargedOrders = serializers.IntegerField(source="outcome.charged_orders")
    unsettled = serializers.IntegerField(
        source="outcome.unsettled", help_text="Orders still being charged or released."
    )
    declined = serializers.IntegerField(
        help_text="Orders whose card was declined and that can still be paid by link."
    )
    charged = serializers.SerializerMethodField()
    refunded = serializers.SerializerMethodField()
    fees = serializers.SerializerMethodField()
    payout = serializers.SerializerMethodField()
    payoutDay = serializers.DateField(source="outcome.payout_day")

    def _amount(self, value: Any) -> str | None:
        return f"{value.amount:.2f}" if self.context["money"] else None

    def get_charged(self, result: Result) -> str | None:
        return self._amount(result.outcome.gross)

    def get_refunded(self, result: Result) -> str | None:
        return self._amount(result.outcome.refunded)

    def get_fees(self, result: Result) -> str | None:
        return self._amount(result.outcome.revenue_share + result.outcome.processing_fee)

    def get_payout(self, result: Result) -> str | None:
        return self._amount(result.outcome.payout)


class NextPayoutSerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    amount = serializers.DecimalField(
        12, 2, allow_null=True, help_text="Null while Stripe hasn't said what arrives."
    )
    currency = serializers.CharField(help_text="The currency of `amount`, such as `usd`.")


class MoneySerializer(serializers.Serializer[Any]):
    held = serializers.DecimalField(12, 2)
    heldOrders = serializers.IntegerField(source="held_orders")
    charged = serializers.DecimalField(
        12, 2, help_text="Charged this month, less refunds and disputes; tax included."
    )
    tax = serializers.DecimalField(12, 2, help_text="The sales tax in it.")
    currency = serializers.CharField(
        help_text="The currency of all amounts but the payout's, such as `usd`."
    )
    payout = NextPayoutSerializer(allow_null=True, help_text="What is sent to the bank next.")


class TodaySerializer(serializers.Serializer[Today]):
    results = SpecialResultSerializer(many=True, help_text="Specials decided within the last day.")
    currency = serializers.SerializerMethodField(help_text="The currency of the results' amounts.")
    money = MoneySerializer(allow_null=True, help_text="Null for members who don't see the ledger.")

    def get_currency(self, today: Today) -> str:
        return str(self.context["currency"])
