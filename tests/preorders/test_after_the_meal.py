"""The day after, one email asks whether the guest would order it again; one press answers."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test.client import MULTIPART_CONTENT

from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.offers.selectors import record_of
from apps.offers.states import OfferStatus
from apps.preorders.core.access import guest_url
from apps.preorders.core.links import order_path
from apps.preorders.emails.preferences import set_email_preference
from apps.preorders.emails.reminders import queue_reminders
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus
from tests.caching import forget_everything
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.pages import text_of

OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def served(platform, special, clock):
    """An order served yesterday; it is ten in the morning at the restaurant."""
    special.status = OfferStatus.SUCCEEDED
    special.decided_at = special.deadline
    special.save()
    today = clock.now.astimezone(special.restaurant.zone)
    ten = today.replace(hour=10, minute=0, second=0, microsecond=0)
    clock.set(ten + (special.serve_date - today.date()) + timedelta(days=1))
    return special


@pytest.fixture
def order(served):
    return eaten(served)


def eaten(offer, **facts):
    facts = {"status": PreOrderStatus.FULFILLED, **facts}
    return PreOrderFactory(offer=offer, payment_status=PaymentStatus.CAPTURED, **facts)


def asked():
    return list(Email.objects.filter(kind=EmailKind.HOW_WAS_IT).values_list("pre_order", flat=True))


def answer(guest, order, again, **headers):
    form = {"action": "rate", "again": again}
    return guest.post(order_path(order), form, MULTIPART_CONTENT, headers=headers or OURS)


def told(order):
    with rls.acting_as(rls.PLATFORM):
        return PreOrder.objects.get(pk=order.pk).would_order_again


class TestAsking:
    def test_a_guest_is_asked_once_the_morning_after(self, order, clock, run_tasks):
        assert queue_reminders(now=clock.now) == 1
        assert queue_reminders(now=clock.advance(hours=1)) == 0
        run_tasks()
        (message,) = mail.outbox
        assert message.subject == "How was Osso buco?"
        assert guest_url(order, then="?again=yes#how") in message.body
        assert guest_url(order, then="?again=no#how") in message.body
        assert "stop=reminders" in message.extra_headers["List-Unsubscribe"]

    def test_nobody_is_asked_before_ten(self, order, clock):
        assert queue_reminders(now=clock.now - timedelta(minutes=1)) == 0

    def test_nobody_is_asked_three_days_later(self, order, clock):
        assert queue_reminders(now=clock.advance(days=2)) == 0

    @pytest.mark.parametrize(
        "facts",
        [
            {"status": PreOrderStatus.NO_SHOW},
            {"refunded_amount": "5.00"},
            {"disputed_amount": "5.00"},
            {"customer_email": ""},
            {"would_order_again": True},
        ],
    )
    def test_a_guest_without_a_good_meal_behind_them_is_not_asked(self, served, clock, facts):
        eaten(served, **facts)
        assert queue_reminders(now=clock.now) == 0

    def test_a_guest_who_turned_reminders_off_is_not_asked(self, order, clock):
        set_email_preference(
            restaurant_id=order.restaurant_id,
            address=order.customer_email,
            reminders=False,
            now=clock.now,
        )
        assert queue_reminders(now=clock.now) == 0
        assert asked() == []

    def test_an_answer_given_meanwhile_drops_the_email(self, order, clock, run_tasks):
        queue_reminders(now=clock.now)
        PreOrder.objects.update(would_order_again=True)
        run_tasks()
        assert mail.outbox == []


class TestAnswering:
    @pytest.fixture
    def guest(self, api, order):
        return api(at=order.restaurant)

    def test_opening_the_link_of_the_email_says_nothing(self, guest, order):
        page = guest.get(order_path(order, then="?again=yes"))
        assert 'data-send-once="yes"' in page.text
        assert told(order) is None

    def test_a_press_is_stored_and_counted(self, guest, order):
        assert answer(guest, order, "yes").status_code == 303
        assert told(order) is True
        record = record_of(order.restaurant)
        assert (record.ratings, record.good_ratings) == (1, 1)

    def test_the_last_answer_counts_once(self, guest, order):
        for again in ("yes", "yes", "no"):
            answer(guest, order, again)
        record = record_of(order.restaurant)
        assert (told(order), record.ratings, record.good_ratings) == (False, 1, 0)

    def test_an_answer_there_is_not_is_refused(self, guest, order):
        assert answer(guest, order, "maybe").status_code == 400
        assert told(order) is None

    def test_another_sites_form_is_refused(self, guest, order):
        refused = answer(guest, order, "yes", **{"Sec-Fetch-Site": "cross-site"})
        assert refused.status_code == 403
        assert told(order) is None

    def test_nobody_answers_before_the_meal(self, guest, order, clock):
        clock.advance(days=-2)
        PreOrder.objects.update(status=PreOrderStatus.CONFIRMED)
        assert answer(guest, order, "yes").status_code == 409
        assert told(order) is None
        assert "Would you order" not in text_of(guest.get(order_path(order)))


class TestShowing:
    @pytest.mark.parametrize(
        ("shows", "ratings", "said"), [(True, 5, True), (True, 4, False), (False, 5, False)]
    )
    def test_guests_see_it_where_the_owner_shows_it_and_five_answered(
        self, served, api, shows, ratings, said
    ):
        restaurant = served.restaurant
        SpecialOfferFactory.create_batch(
            5, restaurant=restaurant, status=OfferStatus.SUCCEEDED, ratings=0
        )
        SpecialOffer.objects.filter(pk=served.pk).update(ratings=ratings, good_ratings=4)
        restaurant.shows_ratings = shows
        restaurant.save()
        forget_everything()
        page = text_of(api(at=restaurant).get("/specials?afresh=1"))
        assert (f"4 of {ratings} guests would order again" in page) is said
