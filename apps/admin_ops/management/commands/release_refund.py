"""Refund an order even though its restaurant's balance doesn't cover it (decision 47)."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from apps.billing.account_alarms import close_account_alarm
from apps.billing.models import Discrepancy
from apps.common import clock
from apps.common.commands import OperatorCommand
from apps.common.money import Money
from apps.preorders.models import PreOrder
from apps.preorders.settlement.refunds import refund_order


class Command(OperatorCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("order", help="the order's id")
        parser.add_argument("--amount", help="for instance 250.00; by default, everything left")
        parser.add_argument("--reason", required=True, help="the reason saved with the order")
        parser.add_argument("--by", required=True, help="the name of the person who decided it")

    def run(self, **options: Any) -> None:
        now = clock.now()
        try:
            order = PreOrder.objects.select_related("offer__restaurant").get(pk=options["order"])
        except (PreOrder.DoesNotExist, ValidationError):
            raise CommandError("There is no such order.") from None
        with transaction.atomic():
            refund_order(
                order=order,
                amount=Money.of(options["amount"]) if options["amount"] else None,
                reason=options["reason"],
                by=options["by"],
                now=now,
                is_released=True,
            )
            close_account_alarm(order.restaurant_id, Discrepancy.Kind.REFUND_HELD, now=now)
        self.stdout.write(f"The refund of {order.code} is on its way.")
