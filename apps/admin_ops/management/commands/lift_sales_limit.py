"""Lift the limit of a new restaurant, so that it can sell any amount before its first payout."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.billing.new_restaurants import lift_sales_limit
from apps.common import clock
from apps.common.commands import OperatorCommand
from apps.restaurants.models import Restaurant


class Command(OperatorCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("subdomain", help="the restaurant's subdomain")

    def run(self, *, subdomain: str, **_: Any) -> None:
        restaurant = Restaurant.objects.filter(subdomain=subdomain).first()
        if restaurant is None:
            raise CommandError(f"There is no restaurant {subdomain}.")
        lift_sales_limit(restaurant=restaurant, now=clock.now())
        self.stdout.write(f"{subdomain} can sell any amount now.")
