"""Refund an order although its restaurant's balance doesn't cover it (decision 47)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.billing.account_alarms import close_account_alarm
from apps.billing.models import Discrepancy
from apps.common import clock, rls
from apps.common.errors import DomainError
from apps.common.money import Money
from apps.preorders.models import PreOrder
from apps.preorders.settlement.refunds import refund_order


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("order", help="the order's id")
        parser.add_argument("--amount", help="such as 250.00; everything that is left without it")
        parser.add_argument("--reason", required=True, help="why, as saved with the order")
        parser.add_argument("--by", required=True, help="the name of who decided it")

    def handle(self, *args: Any, **options: Any) -> None:
        now = clock.now()
        try:
            with rls.acting_as(rls.PLATFORM):
                order = PreOrder.objects.select_related("offer__restaurant").get(
                    pk=options["order"]
                )
                refund_order(
                    order=order,
                    amount=Money.of(options["amount"]) if options["amount"] else None,
                    reason=options["reason"],
                    by=options["by"],
                    now=now,
                    is_released=True,
                )
                kind = Discrepancy.Kind.REFUND_HELD
                close_account_alarm(order.restaurant_id, kind, now=now)
        except PreOrder.DoesNotExist:
            raise CommandError("There is no such order.") from None
        except DomainError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"The refund of {order.code} is on its way.")
