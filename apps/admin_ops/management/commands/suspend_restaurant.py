"""Suspend a restaurant: pages offline, no new orders or specials, payouts held.

    manage.py suspend_restaurant luigis --reason "Closed by the health department" --specials cancel
    manage.py suspend_restaurant luigis --reason "Unpaid fees" --specials run --dry-run

Name the restaurant by its slug or ID. `--specials` says what happens to the specials that aren't
decided yet: `run` lets them run to their deadlines; `cancel` releases every hold and emails every
guest the text of `--guests-reason`. The owners get an email with the reason. Running the command
again changes nothing, except that `--specials cancel` cancels the specials that an earlier run left
open. The exit code is 1 if the command was refused. The restaurant's staff page offers the same.
"""

from typing import Any

from django.core.management.base import CommandParser

from apps.admin_ops.management.restaurants import add_restaurant, restaurant_named
from apps.admin_ops.suspension import OpenSpecials, open_specials, suspend_restaurant
from apps.common import clock, formats, rls
from apps.common.commands import OperatorCommand
from apps.restaurants.models import Restaurant


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_restaurant(parser)
        parser.add_argument("--reason", required=True, help="the reason that owners read")
        parser.add_argument(
            "--specials", required=True, choices=[str(each) for each in OpenSpecials]
        )
        parser.add_argument(
            "--guests-reason",
            default="",
            help="the reason that guests read, with `--specials cancel`",
        )

    def run(self, **options: Any) -> None:
        restaurant = restaurant_named(options["restaurant"])
        specials = OpenSpecials(options["specials"])
        if options["dry_run"]:
            self._preview(restaurant, specials)
            return
        done = suspend_restaurant(
            restaurant_id=restaurant.pk,
            reason=options["reason"],
            specials=specials,
            guests_reason=options["guests_reason"],
            now=clock.now(),
        )
        self.stdout.write(
            f"{restaurant.name} is suspended."
            if done.is_new
            else f"{restaurant.name} was already suspended."
        )
        if done.specials:
            orders = formats.count(done.orders, "order")
            self.stdout.write(f"Canceled: {formats.count(done.specials, 'special')}, {orders}.")

    def _preview(self, restaurant: Restaurant, specials: OpenSpecials) -> None:
        if restaurant.status != Restaurant.Status.ACTIVE:
            self.stdout.write(f"{restaurant.name} is {restaurant.status} already.")
        else:
            self.stdout.write(f"{restaurant.name} would be suspended.")
        what = "would be canceled" if specials is OpenSpecials.CANCEL else "would run"
        with rls.acting_as(rls.PLATFORM):
            for each in open_specials(restaurant):
                orders = formats.count(each.orders, "order")
                held = formats.money(each.held, restaurant.currency)
                self.stdout.write(f"{each.offer.name} {what}: {orders}, {held} held.")
        self.stdout.write("Nothing was changed.")
