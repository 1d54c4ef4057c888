"""How commands name a restaurant."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db.models import Q

from apps.common import rls
from apps.common.ids import parse_uuid
from apps.restaurants.models import Restaurant


def add_restaurant(parser: ArgumentParser) -> None:
    """The arguments of a command that changes one restaurant."""
    parser.add_argument("restaurant", help="the restaurant's slug or ID")


def restaurant_named(name: str) -> Restaurant:
    """The restaurant with this slug or id. Raises CommandError."""
    with rls.acting_as(rls.PLATFORM):
        found = Restaurant.objects.filter(Q(slug=name) | Q(pk=parse_uuid(name))).first()
    if found is None:
        raise CommandError(f"There is no restaurant {name}. Use its slug or ID.")
    return found
