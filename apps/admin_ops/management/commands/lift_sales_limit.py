"""Lift the limit of a new restaurant, so that it can sell any amount before its first payout."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.models import ConnectAccount
from apps.common import clock, rls


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("subdomain", help="the restaurant's subdomain")

    def handle(self, *args: Any, **options: Any) -> None:
        subdomain = options["subdomain"]
        with rls.acting_as(rls.PLATFORM), transaction.atomic():
            accounts = ConnectAccount.objects.filter(restaurant__subdomain=subdomain)
            if not accounts.update(limit_lifted_at=clock.now()):
                raise CommandError(f"{subdomain} has no payment account.")
            record(Kind.SALES_LIMIT_LIFTED, restaurant=accounts.get().restaurant_id)
        self.stdout.write(f"{subdomain} can sell any amount now.")
