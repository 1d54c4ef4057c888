"""Add the dishes of a CSV file to a restaurant's menu, by the rules of the owner's own form.

The columns are name, price, description, allergens, dietary, and hidden. If any line has an error,
no dish is added. Dishes whose names are already on the menu stay as they are.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.common import clock
from apps.common.commands import OperatorCommand
from apps.common.errors import Invalid
from apps.offers.menu_import import MAX_BYTES, import_menu
from apps.restaurants.models import Restaurant


class Command(OperatorCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("subdomain", help="the restaurant's subdomain")
        parser.add_argument("file", type=Path, help="a CSV file in UTF-8")

    def run(self, *, subdomain: str, file: Path, dry_run: bool, **_: Any) -> None:
        restaurant = Restaurant.objects.filter(subdomain=subdomain).first()
        if restaurant is None:
            raise CommandError(f"There is no restaurant {subdomain}.")
        try:
            if file.stat().st_size > MAX_BYTES:
                raise CommandError(f"{file} is larger than {MAX_BYTES // 1024} KB.")
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} can't be read: {error}") from error
        try:
            done = import_menu(restaurant=restaurant, text=text, now=clock.now())
        except Invalid as refusal:
            for wrong in refusal.fields:
                self.stderr.write(f"{wrong.field}: {wrong.message}")
            raise CommandError("No dish was added. Correct the lines above.") from refusal
        would = "would be added" if dry_run else "added"
        self.stdout.write(f"{done.added} dishes {would}, {done.already_there} already on the menu")
