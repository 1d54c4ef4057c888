"""The demo: created by the product's services, the same after every restart."""

import io
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from local_stripe.testing import LocalStripe
from PIL import Image

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import IntentStatus
from apps.billing.models import ConnectAccount, PaymentHistory
from apps.common import clock as our_clock
from apps.common.money import Money
from apps.marketing.campaigns.selectors import campaigns_of
from apps.marketing.models import Campaign, EmailInvitation
from apps.offers.models import Dish, OfferSeries, Photo, SeriesDate, SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.models import PaymentOperation, PreOrder, Subscriber
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant
from apps.restaurants.opening_hours import read_hours
from apps.restaurants.profile_completion import is_marketing_complete
from apps.restaurants.social_links import is_link_to
from demo import loading, offers, processor
from demo.plan import PlannedRestaurant
from demo.restaurants import CASA_VERDE, LUIGIS, SAKURA

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]

Load = Callable[..., datetime]
HISTORY_TABLES = (
    Restaurant,
    Dish,
    Photo,
    SpecialOffer,
    PreOrder,
    PaymentHistory,
    PaymentOperation,
    Subscriber,
    Campaign,
    EmailInvitation,
    OfferSeries,
    SeriesDate,
)


@pytest.fixture
def load(stripe: LocalStripe, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Load only these restaurants, with one small photo for all dishes; returns the time."""
    settings.STRIPE_API_BASE = stripe.address
    file = io.BytesIO()
    Image.new("RGB", (48, 36), "#b4380a").save(file, "JPEG")
    monkeypatch.setattr(loading, "read_image", lambda _: file.getvalue())

    def load_these(*plans: PlannedRestaurant, now: datetime | None = None) -> datetime:
        monkeypatch.setattr(loading, "RESTAURANTS", plans)
        moment = now or our_clock.now()
        loading.load_demo(now=moment, say=lambda _: None)
        return moment

    return load_these


def everything() -> list[list[dict[str, Any]]]:
    tables: tuple[Any, ...] = HISTORY_TABLES
    return [list(table.objects.order_by("pk").values()) for table in tables]


def of(plan: PlannedRestaurant, name: str) -> SpecialOffer:
    return SpecialOffer.objects.get(restaurant__subdomain=plan.subdomain, name=name)


def test_a_second_load_changes_nothing(load: Load) -> None:
    plan = replace(LUIGIS, offers=LUIGIS.offers[1:5])
    load(plan)
    first = everything()
    load(plan)
    assert everything() == first


def test_every_kind_of_ending_is_there(load: Load) -> None:
    load(LUIGIS)
    statuses = set(SpecialOffer.objects.values_list("status", flat=True))
    assert statuses == {
        OfferStatus.ACTIVE,
        OfferStatus.SUCCEEDED,
        OfferStatus.FAILED,
        OfferStatus.DELETED,
    }
    orders = set(PreOrder.objects.values_list("status", "payment_status"))
    assert (PreOrderStatus.FULFILLED, PaymentStatus.CAPTURED) in orders
    assert (PreOrderStatus.NO_SHOW, PaymentStatus.CAPTURED) in orders
    assert (PreOrderStatus.CANCELLED, PaymentStatus.RELEASED) in orders
    assert (PreOrderStatus.CANCELLED, PaymentStatus.REFUNDED) in orders
    tiramisu = of(LUIGIS, "Tiramisù, Half a Tray")
    assert (tiramisu.ordered_portions, tiramisu.max_preorders) == (11, 12)


def test_the_ledger_agree_with_the_processors_list(load: Load) -> None:
    now = load(SAKURA)
    page = gateway.intents_page(now - timedelta(days=1))
    assert page.is_last
    holds = {hold.intent_id: hold for hold in page.intents}
    orders = {order.payment_intent_id: order for order in PreOrder.objects.all()}
    assert len(orders) == sum(len(offer.orders) for offer in SAKURA.offers)
    others = [hold for hold in holds.values() if hold.intent_id not in orders]
    assert [hold.state for hold in others] == [IntentStatus.OPEN], (
        "only the retry that was declined"
    )
    for intent_id in orders:
        hold = holds[intent_id or ""]
        recorded = {
            entry.transaction_type: Money.of(entry.amount)
            for entry in PaymentHistory.objects.filter(payment_intent_id=intent_id)
        }
        assert recorded["authorization"] == hold.amount == Money.of(orders[intent_id].total_amount)
        assert recorded.get("capture", Money(0)) == hold.captured
        assert ("release" in recorded) == (hold.state is IntentStatus.DEAD)
    unpaid = PreOrder.objects.get(payment_status=PaymentStatus.CAPTURE_FAILED)
    assert holds[unpaid.payment_intent_id or ""].state is IntentStatus.DEAD


def test_an_interrupted_load_is_finished_by_the_next(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(SAKURA, offers=SAKURA.offers[1:3])
    pay, calls = processor.pay, iter(range(100))

    def pay_twice(session_id: str, card: str) -> None:
        if next(calls) == 2:
            raise ConnectionError("the power went out")
        pay(session_id, card)

    with monkeypatch.context() as cut:
        cut.setattr(processor, "pay", pay_twice)
        with pytest.raises(ConnectionError):
            load(plan)
    load(plan)
    offers_made = SpecialOffer.objects.order_by("created_at")
    assert [offer.status for offer in offers_made] == [OfferStatus.SUCCEEDED] * 2
    assert sorted(PreOrder.objects.values_list("quantity", flat=True)) == [2, 2, 3, 3, 4, 4]


def test_the_followers_show_how_they_agreed(load: Load) -> None:
    load(LUIGIS)
    followers = Subscriber.objects.filter(restaurant__subdomain="luigis")
    assert Counter(followers.values_list("status", "source")) == {
        ("confirmed", "follow"): 8,
        ("confirmed", "order"): 8,
        ("unsubscribed", "follow"): 1,
        ("pending", "follow"): 1,
    }
    assert not followers.filter(consent_at=None).exists()
    assert not followers.filter(consent_words="").exists()


def test_the_campaign_was_opened_clicked_and_ordered_from(load: Load) -> None:
    load(LUIGIS)
    [campaign] = campaigns_of(Restaurant.objects.get(subdomain="luigis"))
    assert campaign.status == Campaign.Status.SENT
    figures = ("sent", "delivered", "opened", "clicked", "ordered", "waiting")
    assert [getattr(campaign, name) for name in figures] == [13, 13, 7, 3, 2, 0]
    ordered = campaign.invitations.filter(status=EmailInvitation.Status.ORDERED)
    assert set(ordered.values_list("customer_name", "pre_order__offer__name")) == {
        ("Keiko Tanaka", "Osso Buco alla Milanese"),
        ("Liam O'Connor", "Osso Buco alla Milanese"),
    }


def test_guests_of_past_specials_said_how_it_was(load: Load) -> None:
    load(LUIGIS)
    night = of(LUIGIS, "Margherita Night")
    assert (night.ratings, night.good_ratings) == (3, 3)
    lunch = of(LUIGIS, "Caprese di Bufala for Lunch")
    assert (lunch.ratings, lunch.good_ratings) == (2, 1)


def test_a_special_repeats_every_week_and_later_loads_start_no_second_series(load: Load) -> None:
    now = load(LUIGIS)
    [series] = OfferSeries.objects.all()
    tagliatelle = of(LUIGIS, "Tagliatelle al Ragù, the Long Way")
    assert series.pattern == tagliatelle
    assert series.next_serve_date == tagliatelle.serve_date + timedelta(days=7)
    [skipped] = SeriesDate.objects.all()
    assert skipped.serve_date == tagliatelle.serve_date + timedelta(days=21)
    # Its next special is published in a few days, so until then there are only the plan's.
    assert series.due_at > now + timedelta(days=4)
    load(LUIGIS, now=now + timedelta(days=9))
    assert OfferSeries.objects.count() == 1


def test_a_restaurant_without_payments_shows_offers_that_nobody_can_order(load: Load) -> None:
    now = load(CASA_VERDE)
    assert not ConnectAccount.objects.exists()
    assert not PreOrder.objects.exists()
    assert SpecialOffer.objects.open(now).count() == 3
    assert of(CASA_VERDE, "Pozole for a Rainy Day").status == OfferStatus.FAILED


def test_fresh_offers_are_published_only_when_none_is_open_any_more(load: Load) -> None:
    now = load(CASA_VERDE)
    later = now + timedelta(days=2, hours=20)
    load(CASA_VERDE, now=later)
    assert SpecialOffer.objects.count() == len(CASA_VERDE.offers)
    much_later = now + timedelta(days=9)
    load(CASA_VERDE, now=much_later)
    assert SpecialOffer.objects.open(much_later).count() == 3
    assert SpecialOffer.objects.count() == len(CASA_VERDE.offers) + 3
    assert Restaurant.objects.get().settings[offers.RENEWED] == much_later.isoformat()


def test_without_the_local_processor_nobody_is_made_to_pay(
    load: Load, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STRIPE_API_BASE = "https://api.stripe.com"
    monkeypatch.setattr(processor, "_order", lambda **_: pytest.fail("asked the processor"))
    load(LUIGIS)
    assert not PreOrder.objects.exists()
    assert not ConnectAccount.objects.exists()


def test_the_set_up_is_complete_where_payments_are_connected(load: Load) -> None:
    load(*[replace(plan, offers=()) for plan in (LUIGIS, SAKURA, CASA_VERDE)])
    complete = {
        restaurant.subdomain: (
            restaurant.profile_completed,
            restaurant.marketing_completed,
            restaurant.stripe_completed,
        )
        for restaurant in Restaurant.objects.exclude(subdomain="")
    }
    assert complete == {
        "luigis": (True, True, True),
        "sakura": (True, True, True),
        "casa-verde": (True, False, False),
    }
    for restaurant in Restaurant.objects.exclude(subdomain=""):
        has_notes = restaurant.subdomain != "casa-verde"
        assert bool(restaurant.dine_in_note) is bool(restaurant.pickup_note) is has_notes
    for restaurant in Restaurant.objects.filter(marketing_completed=True):
        assert restaurant.marketing_completed == is_marketing_complete(restaurant)
        assert read_hours(restaurant.hours_of_operation) == restaurant.hours_of_operation
        links = restaurant.social_media_links.items()
        assert all(is_link_to(platform, link) for platform, link in links)
