"""A guest's full history: all of it is in the export, and none of it is left after erasure.

The history is made by the program itself, Stripe's webhooks included; then every text column of
every table is searched.
"""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from djstripe.models import Event, WebhookEventTrigger

from apps.billing.models import Discrepancy, PaymentHistory
from apps.common import rls
from apps.common.errors import Conflict
from apps.marketing.models import DemoLead
from apps.preorders.checkout import services as checkout
from apps.preorders.emails.preferences import set_email_preference
from apps.preorders.guest import changes, choices
from apps.preorders.guest.data_export import guest_data
from apps.preorders.guest.erasure import erase_guest
from apps.preorders.manage import fulfillment
from apps.preorders.models import Email, PreOrder, WaitlistEntry
from apps.preorders.waitlist.services import join_waitlist
from apps.privacy import retention
from apps.privacy.classification import HOLDINGS, Export, Whose, holding_of
from apps.privacy.erasure import erase_person
from apps.restaurants.models import IncompleteRegistration, Invitation
from tests.preorders.disputes import answer, decide, disputed
from tests.stored_words import tables_with

NAME, EMAIL = "Zelda Quimby", "zelda.quimby@example.test"
PHONE, NOTE = "+1 212 555 7777", "No quinces, and a gherkin-free plate"
ZELDA = checkout.GuestDetails(NAME, EMAIL, PHONE)
WORDS = (NAME, EMAIL, PHONE, "2125557777", "555 7777", "quince", "gherkin", "Quimby")


@dataclass
class History:
    """What the guest did, and the orders of it."""

    orders: list[PreOrder]
    offers: list[Any]

    @property
    def first(self) -> PreOrder:
        return PreOrder.objects.select_related("offer__restaurant").get(pk=self.orders[0].pk)


def order(world, offer, quantity=1, note=""):
    with rls.acting_as(offer.restaurant_id):
        return checkout.begin_order(
            offer_id=offer.pk,
            quantity=quantity,
            guest=ZELDA,
            claimed_total=None,
            alternative_consent=False,
            note=note,
            now=world.now,
        )


def arrive(world):
    world.stripe.wait_delivered()
    world.work()


@pytest.fixture
def history(world, webhooks):
    """Ordered, changed, charged, disputed, refunded, canceled, abandoned, and waited."""
    offer = world.offer(min_preorders=1, max_preorders=9)
    picked_up = order(world, offer, note=NOTE)
    world.pay(picked_up)
    arrive(world)
    choices.change_note(order=world.fresh(picked_up), note=f"{NOTE}!", now=world.now)
    canceled = order(world, world.offer(), 2)
    world.pay(canceled)
    arrive(world)
    changes.change_quantity(order=world.fresh(canceled), quantity=1, now=world.now)
    arrive(world)
    world.cancel(canceled, reason=f"{NAME} called")
    full = world.offer(min_preorders=1, max_preorders=1)
    world.authorized_order(full)
    join_waitlist(offer_id=full.pk, guest=ZELDA, portions=1, now=world.now)
    set_email_preference(restaurant_id=world.restaurant.pk, address=EMAIL, news=True, now=world.now)
    fulfillment.add_note(
        restaurant=world.restaurant,
        order_id=picked_up.pk,
        text=f"{NAME} sits by the window.",
        by="Maria",
        now=world.now,
    )
    left = order(world, world.offer(), 1)
    arrive(world)
    world.later(hours=2)
    arrive(world)
    for each in (offer, full, canceled.offer, left.offer):
        world.settle(each)
        arrive(world)
    fulfillment.mark_picked_up(
        restaurant=world.restaurant, order_id=picked_up.pk, by="Maria", now=world.now
    )
    Email.objects.filter(pre_order=picked_up).update(error=f"550 no such user {EMAIL}")
    Discrepancy.objects.create(
        restaurant=world.restaurant,
        pre_order=picked_up,
        description="Stripe says captured.",
        found_at=world.now,
        resolved_at=world.now,
        resolved_by="Staff",
        resolution=f"Called {NAME}.",
    )
    dispute = disputed(world, world.fresh(picked_up))
    answer(world, dispute, remarks=f"{NAME} picked it up.")
    decide(world, dispute, "won")
    arrive(world)
    world.later(days=4)
    arrive(world)
    return History([picked_up, canceled, left], [offer, full])


@pytest.mark.django_db(transaction=True)
class TestOfAGuest:
    def test_the_history_is_in_many_tables(self, history):
        """Else the tests below would search for nothing."""
        found = {place.partition(".")[0] for place in tables_with(*WORDS)}
        assert found >= {
            "preorders_preorder",
            "preorders_waitlistentry",
            "preorders_subscriber",
            "preorders_ordernote",
            "preorders_preordertransition",
            "preorders_dispute",
            "preorders_email",
            "billing_discrepancy",
        }

    def test_every_place_it_is_in_is_classified_as_personal(self, history):
        by_table = {each._meta.db_table: each._meta.label for each in apps.get_models()}
        for place in tables_with(*WORDS):
            table, column = place.split(".")
            holding = holding_of(by_table[table])
            assert holding is not None
            assert column in holding.personal, place

    def test_processed_webhooks_say_nothing_about_anybody(self, history):
        assert WebhookEventTrigger.objects.filter(processed=True).exists()
        assert not WebhookEventTrigger.objects.filter(processed=False).exists()
        assert Event.objects.exists()
        assert not [place for place in tables_with(*WORDS) if place.startswith("djstripe_")]

    def test_tables_that_are_said_to_be_empty_are_empty(self, history):
        for model in apps.get_models(include_auto_created=True):
            holding = holding_of(model._meta.label)
            if holding is not None and holding.is_empty:
                assert model._default_manager.count() == 0, model._meta.label

    def test_the_export_has_every_personal_field(self, history, world):
        text = json.dumps(guest_data(history.first), default=str)
        missing = []
        for label, holding in HOLDINGS.items():
            if holding.whose != Whose.GUEST or holding.export != Export.GUEST_PAGE:
                continue
            column = "customer_email" if label == "preorders.PreOrder" else "email"
            rows = apps.get_model(label)._default_manager.filter(**{f"{column}__iexact": EMAIL})
            assert rows.exists(), label
            missing += [
                f"{label}.{name}"
                for row in rows
                for name in set(holding.personal) - set(holding.unexported)
                if getattr(row, name) and json.dumps(getattr(row, name)) not in text
            ]
        assert missing == []
        said = json.loads(text)
        changed = [each["what"] for one in said["orders"] for each in one["changes"]]
        assert changed.count("note") == 1
        assert sorted(len(one["disputes"]) for one in said["orders"]) == [0, 0, 1]
        assert said["emailPreferences"]["news"] is True
        assert len(said["waitingLists"]) == 1
        assert sum(len(one["emails"]) > 0 for one in said["orders"]) >= 2

    def test_erasing_leaves_nothing_of_them_in_any_table(self, history, world):
        amounts = list(PreOrder.objects.order_by("pk").values_list("pk", "total_amount"))
        entries = list(PaymentHistory.objects.order_by("pk").values())
        erase_guest(order=history.first, now=world.now)
        arrive(world)
        assert tables_with(*WORDS) == {}
        assert list(PreOrder.objects.order_by("pk").values_list("pk", "total_amount")) == amounts
        assert not WaitlistEntry.objects.filter(email=EMAIL).exists()
        assert list(PaymentHistory.objects.order_by("pk").values()) == entries

    def test_it_waits_while_a_bank_decides(self, world):
        offer = world.offer(min_preorders=1)
        made = order(world, offer)
        world.pay(made)
        world.hear(made)
        world.settle(offer)
        dispute = disputed(world, world.fresh(made))
        world.later(days=4)
        with pytest.raises(Conflict, match="Your bank hasn't decided about order"):
            erase_guest(order=world.fresh(made), now=world.now)
        assert world.fresh(made).customer_email == EMAIL
        answer(world, dispute)
        decide(world, dispute, "won")
        erase_guest(order=world.fresh(made), now=world.now)
        assert world.fresh(made).customer_email == ""


@pytest.mark.django_db(transaction=True)
class TestByThePlatform:
    @pytest.fixture
    def traces(self, world, history):
        """What is stored about an address besides orders."""
        DemoLead.objects.create(email=EMAIL, created_at=world.now, last_seen_at=world.now)
        IncompleteRegistration.objects.create(
            original_restaurant_id=world.restaurant.pk,
            email=EMAIL,
            name="Quimby's",
            subscription_tier="free",
            slug="q",
            archived_at=world.now,
        )
        Invitation.objects.create(
            restaurant=world.restaurant,
            email=EMAIL,
            role="kitchen",
            digest="x",
            created_at=world.now,
            expires_at=world.now + timedelta(days=7),
        )

    def test_a_person_is_erased_at_every_restaurant(self, world, traces):
        elsewhere = world.open_restaurant(name="Ming's", subdomain="mings")
        there = order(world, world.offer(restaurant=elsewhere))
        world.cancel(there)
        world.later(days=4)
        call_command("erase_person", EMAIL)
        arrive(world)
        assert tables_with(*WORDS) == {}

    def test_a_dry_run_only_counts(self, world, traces, capsys):
        before = tables_with(*WORDS)
        call_command("erase_person", EMAIL, "--dry-run")
        assert "3  orders would be anonymized" in capsys.readouterr().out
        assert tables_with(*WORDS) == before

    def test_erasing_again_finds_nothing(self, world, traces):
        erase_person(email=EMAIL, now=world.now)
        again = erase_person(email=EMAIL, now=world.now)
        assert (again.orders, set(again.others.values())) == (0, {0})


@pytest.mark.django_db(transaction=True)
class TestByTime:
    """The nightly job, at a clock that the test sets."""

    def test_a_year_after_the_serve_date_nobody_knows_who_it_was(self, world, history):
        amounts = list(PreOrder.objects.order_by("pk").values_list("pk", "total_amount"))
        # Followers of the restaurant stay followers.
        set_email_preference(
            restaurant_id=world.restaurant.pk, address=EMAIL, news=False, now=world.now
        )
        world.later(days=360)
        retention.prune(now=world.now)
        assert world.fresh(history.orders[0]).customer_email == EMAIL
        world.later(days=8)
        expected = retention.count_outdated(now=world.now)
        report = retention.prune(now=world.now)
        arrive(world)
        assert report.is_complete
        orders = retention.RULES[0].data
        assert report.counts[orders] == expected[orders] > 0
        retention.prune(now=world.now)  # the preference, once no order has the address
        assert tables_with(*WORDS) == {}
        assert list(PreOrder.objects.order_by("pk").values_list("pk", "total_amount")) == amounts

    def test_a_second_run_finds_nothing(self, world, history):
        world.later(days=400)
        retention.prune(now=world.now)
        retention.prune(now=world.now)
        assert set(retention.prune(now=world.now).counts.values()) == {0}
        assert set(retention.count_outdated(now=world.now).values()) == {0}

    def test_an_abandoned_checkout_is_forgotten_after_a_month(self, world, history):
        open_order, left = history.orders[0], history.orders[2]
        world.later(days=31)
        retention.prune(now=world.now)
        assert world.fresh(left).customer_email == ""
        assert world.fresh(open_order).customer_email == EMAIL
