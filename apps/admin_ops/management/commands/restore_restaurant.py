"""End a restaurant's suspension: its pages, orders, specials, and payouts continue.

    manage.py restore_restaurant luigis

Name the restaurant by its slug or ID. Specials that were canceled stay canceled. Running the
command again changes nothing. The exit code is 1 if the command was refused because the owner
closed the restaurant for good.
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
