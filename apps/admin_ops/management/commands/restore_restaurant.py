"""End a restaurant's suspension: its pages, orders, specials and payouts continue.

    manage.py restore_restaurant luigis

Names the restaurant by slug or id. What was canceled stays canceled. Running it again changes
nothing. Exits with 1 if it was refused, for a restaurant that its owner closed for good.
"""

from typing import Any

from django.core.management.base import CommandParser

from apps.admin_ops.management.restaurants import add_restaurant, restaurant_named
from apps.admin_ops.suspension import restore_restaurant
from apps.common import clock
from apps.common.commands import OperatorCommand


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_restaurant(parser)

    def run(self, **options: Any) -> None:
        restaurant = restaurant_named(options["restaurant"])
        if options["dry_run"]:
            self.stdout.write(f"{restaurant.name} is {restaurant.status}. Nothing was changed.")
            return
        done = restore_restaurant(restaurant_id=restaurant.pk, now=clock.now())
        self.stdout.write(
            f"{restaurant.name} is back." if done.is_new else f"{restaurant.name} wasn't suspended."
        )
