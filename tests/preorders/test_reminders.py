"""Reminders, and emails about unfinished checkouts: to whom, when in the restaurant's time zone,
once, and only while they help."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail

from apps.common import rls
from apps.offers.models import PickupSlot
from apps.offers.states import OfferStatus
from apps.preorders import tasks
from apps.preorders.core.email_queue import queue_email
from apps.preorders.emails.outbox import send_email
from apps.preorders.emails.preferences import set_email_preference
from apps.preorders.emails.reminders import queue_reminders
from apps.preorders.models import Email, Subscriber
from apps.preorders.models.states import EmailKind, OrderSource, PaymentStatus, PreOrderStatus
from tests.conftest import NOON
from tests.factories import PreOrderFactory, RestaurantFactory, SpecialOfferFactory
from tests.threads import at_once

pytestmark = pytest.mark.django_db
NEW_YORK = ZoneInfo("America/New_York")


def at(clock, day, hour, minute=0, zone=NEW_YORK):
    return clock.set(datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone))


def written():
    return sorted(
        (email.kind, email.order.customer_email)
        for email in Email.objects.filter(sent_at=None, dropped_at=None)
    )


def choose(order, clock, **wish):
    set_email_preference(
        restaurant_id=order.restaurant_id, address=order.customer_email, now=clock.now, **wish
    )


@pytest.fixture
def restaurant(platform, clock):
    return RestaurantFactory(name="Luigi's")


class TestUnfinished:
    """Checkouts left on Monday at noon; the special closes on Tuesday at 8 PM."""

    DEADLINE = datetime(2027, 3, 23, 20, tzinfo=NEW_YORK)
    TUESDAY = date(2027, 3, 23)

    @pytest.fixture
    def offer(self, restaurant):
        return SpecialOfferFactory(
            restaurant=restaurant, deadline=self.DEADLINE, serve_date=date(2027, 3, 24)
        )

    @pytest.fixture
    def left(self, offer):
        return self.leave(offer)

    @staticmethod
    def leave(offer, **columns):
        return PreOrderFactory(
            **{"offer": offer, "in_checkout": True, "status": PreOrderStatus.CANCELLED, **columns}
        )

    def test_an_unfinished_order_is_reminded_from_a_day_to_three_hours_before_the_deadline(
        self, left, clock
    ):
        for moment, emails in (
            (self.DEADLINE - timedelta(hours=24, seconds=1), 0),
            (self.DEADLINE - timedelta(hours=24), 1),
            (self.DEADLINE - timedelta(hours=3, seconds=1), 1),
            (self.DEADLINE - timedelta(hours=3), 0),
        ):
            Email.objects.all().delete()
            assert queue_reminders(now=clock.set(moment)) == emails

    def test_no_reminder_is_sent_at_night(self, left, clock):
        assert queue_reminders(now=at(clock, date(2027, 3, 22), 21)) == 0
        assert queue_reminders(now=at(clock, self.TUESDAY, 8, 59)) == 0
        assert queue_reminders(now=at(clock, self.TUESDAY, 9)) == 1

    def test_nine_is_nine_of_the_restaurants_clock_when_clocks_change(self, restaurant, clock):
        """In the night to Sunday, March 14th 2027, New York leaves out an hour."""
        offer = SpecialOfferFactory(
            restaurant=restaurant,
            created_at=datetime(2027, 3, 12, 12, tzinfo=UTC),
            deadline=datetime(2027, 3, 14, 20, tzinfo=NEW_YORK),
        )
        self.leave(offer, created_at=datetime(2027, 3, 13, 12, tzinfo=UTC))
        # 24 hours before is 7 PM on the day before: an hour of that day is missing.
        saturday = datetime(2027, 3, 14, 0, tzinfo=UTC)  # 7 PM in New York
        assert queue_reminders(now=clock.set(saturday - timedelta(seconds=1))) == 0
        assert queue_reminders(now=clock.set(saturday)) == 1
        Email.objects.all().delete()
        sunday = datetime(2027, 3, 14, 13, tzinfo=UTC)  # 9 AM by summer time
        assert queue_reminders(now=clock.set(sunday - timedelta(seconds=1))) == 0
        assert queue_reminders(now=clock.set(sunday)) == 1

    def test_another_zone_has_another_nine(self, platform, clock):
        there = RestaurantFactory(timezone="America/Los_Angeles")
        self.leave(SpecialOfferFactory(restaurant=there, deadline=self.DEADLINE))
        assert queue_reminders(now=at(clock, self.TUESDAY, 9)) == 0
        assert queue_reminders(now=at(clock, self.TUESDAY, 12)) == 1

    def test_who_has_just_left_is_left_alone(self, offer, clock):
        begun = at(clock, self.TUESDAY, 10)
        self.leave(offer, created_at=begun)  # the checkout ended at 10:30
        assert queue_reminders(now=at(clock, self.TUESDAY, 10, 59)) == 0
        assert queue_reminders(now=at(clock, self.TUESDAY, 11)) == 1

    def test_an_address_is_reminded_once_however_many_orders_it_left(self, offer, clock):
        for name in ("dana@example.test", "Dana@Example.TEST"):
            self.leave(offer, customer_email=name)
        last = self.leave(offer, created_at=NOON + timedelta(minutes=1))
        self.leave(offer, customer_email="erin@example.test")
        assert queue_reminders(now=at(clock, self.TUESDAY, 10)) == 2
        assert Email.objects.filter(pre_order=last).count() == 1
        self.leave(offer, created_at=at(clock, self.TUESDAY, 11))
        assert queue_reminders(now=at(clock, self.TUESDAY, 15)) == 0

    @pytest.mark.parametrize(
        "columns",
        [
            {"customer_email": ""},
            {"source": OrderSource.PHONE},
            {"status": PreOrderStatus.PENDING},
            {"payment_status": PaymentStatus.RELEASED},
        ],
    )
    def test_other_orders_are_not_reminded(self, offer, clock, columns):
        self.leave(offer, **columns)
        assert queue_reminders(now=at(clock, self.TUESDAY, 10)) == 0

    @pytest.mark.parametrize(
        "columns",
        [
            {"status": OfferStatus.CLOSING},
            {"status": OfferStatus.DELETED},
            {"max_preorders": 5, "reserved_portions": 5},
        ],
    )
    def test_a_special_that_cannot_be_ordered_sends_no_reminder(self, left, offer, clock, columns):
        type(offer).objects.filter(pk=offer.pk).update(**columns)
        assert queue_reminders(now=at(clock, self.TUESDAY, 10)) == 0

    def test_a_guest_who_ordered_after_all_or_is_about_to_is_not_reminded(self, left, offer, clock):
        other = PreOrderFactory(offer=offer, customer_email="DANA@example.test")
        assert queue_reminders(now=at(clock, self.TUESDAY, 10)) == 0
        other.delete()
        trying = PreOrderFactory(offer=offer, in_checkout=True)
        assert queue_reminders(now=at(clock, self.TUESDAY, 10)) == 0
        trying.delete()
        assert queue_reminders(now=at(clock, self.TUESDAY, 10)) == 1

    def test_a_guest_whose_order_was_canceled_is_not_reminded(self, left, clock):
        queue_email(left, EmailKind.CANCELLED, now=clock.now)
        assert queue_reminders(now=at(clock, self.TUESDAY, 10)) == 0

    def test_a_guest_who_unsubscribed_is_not_reminded(self, left, clock):
        choose(left, clock, reminders=False)
        assert queue_reminders(now=at(clock, self.TUESDAY, 10)) == 0
        choose(left, clock, reminders=True)
        assert queue_reminders(now=at(clock, self.TUESDAY, 10)) == 1


class TestPickUp:
    """Decided on Monday at noon, served on Wednesday."""

    DAY = date(2027, 3, 24)

    @pytest.fixture
    def offer(self, restaurant):
        return SpecialOfferFactory(
            restaurant=restaurant,
            status=OfferStatus.SUCCEEDED,
            serve_date=self.DAY,
            decided_at=NOON,
        )

    @pytest.fixture
    def paid(self, offer):
        return self.buy(offer)

    @staticmethod
    def buy(offer, **columns):
        return PreOrderFactory(
            **{
                "offer": offer,
                "status": PreOrderStatus.CONFIRMED,
                "payment_status": PaymentStatus.CAPTURED,
                **columns,
            }
        )

    def slot(self, offer, hour, minute=0):
        start = datetime(2027, 3, 24, hour, minute, tzinfo=NEW_YORK)
        return PickupSlot.objects.create(
            offer=offer,
            restaurant=offer.restaurant,
            starts_at=start,
            ends_at=start + timedelta(minutes=30),
        )

    def test_a_pickup_reminder_is_sent_once_in_the_morning_of_the_day(self, paid, clock):
        assert queue_reminders(now=at(clock, self.DAY - timedelta(days=1), 20, 59)) == 0
        assert queue_reminders(now=at(clock, self.DAY, 8, 59)) == 0
        assert queue_reminders(now=at(clock, self.DAY, 9)) == 1
        assert queue_reminders(now=at(clock, self.DAY, 9)) == 0
        assert written() == [("pick_up", "dana@example.test")]
        Email.objects.all().delete()
        assert queue_reminders(now=at(clock, self.DAY, 21)) == 0
        assert queue_reminders(now=at(clock, self.DAY + timedelta(days=1), 9)) == 0

    def test_a_pickup_before_eleven_is_reminded_of_the_evening_before(self, offer, clock):
        self.buy(offer, pickup_slot=self.slot(offer, 10, 30))
        self.buy(offer, pickup_slot=self.slot(offer, 11), customer_email="erin@example.test")
        before = self.DAY - timedelta(days=1)
        assert queue_reminders(now=at(clock, before, 17, 59)) == 0
        assert queue_reminders(now=at(clock, before, 18)) == 1
        assert written() == [("pick_up", "dana@example.test")]
        assert queue_reminders(now=at(clock, self.DAY, 9)) == 1
        assert written() == [("pick_up", "dana@example.test"), ("pick_up", "erin@example.test")]

    def test_no_pickup_reminder_is_sent_once_the_pickup_time_has_begun(self, offer, clock):
        self.buy(offer, pickup_slot=self.slot(offer, 12))
        assert queue_reminders(now=at(clock, self.DAY, 12)) == 0
        assert queue_reminders(now=at(clock, self.DAY, 11, 59)) == 1

    @pytest.mark.parametrize("hours", [4, 3.99])
    def test_a_guest_who_was_just_told_that_it_is_on_is_not_reminded(
        self, offer, paid, clock, hours
    ):
        nine = at(clock, self.DAY, 9)
        type(offer).objects.update(decided_at=nine - timedelta(hours=hours))
        for moment in (nine, at(clock, self.DAY, 15)):
            Email.objects.all().delete()
            assert queue_reminders(now=moment) == (1 if hours == 4 else 0)

    @pytest.mark.parametrize(
        "columns",
        [
            {"status": PreOrderStatus.FULFILLED},
            {"status": PreOrderStatus.NO_SHOW},
            {"status": PreOrderStatus.CANCELLED},
            {"payment_status": PaymentStatus.REFUNDED},
            {"payment_status": PaymentStatus.CAPTURE_FAILED},
            {"customer_email": ""},
        ],
    )
    def test_other_orders_get_no_pickup_reminder(self, offer, clock, columns):
        self.buy(offer, **columns)
        assert queue_reminders(now=at(clock, self.DAY, 9)) == 0

    def test_the_alternatives_guests_come_too(self, offer, paid, clock):
        type(offer).objects.update(status=OfferStatus.FAILED)
        assert queue_reminders(now=at(clock, self.DAY, 9)) == 1

    def test_a_guest_who_unsubscribed_gets_no_pickup_reminder(self, paid, clock):
        choose(paid, clock, reminders=False)
        assert queue_reminders(now=at(clock, self.DAY, 9)) == 0

    @pytest.mark.parametrize("day", [date(2027, 3, 14), date(2027, 11, 7)])
    def test_a_pickup_reminder_is_sent_at_nine_on_the_day_clocks_change(
        self, restaurant, clock, day
    ):
        offer = SpecialOfferFactory(
            restaurant=restaurant,
            status=OfferStatus.SUCCEEDED,
            serve_date=day,
            decided_at=datetime(2027, 3, 12, tzinfo=UTC),
        )
        self.buy(offer)
        hour = 13 if day.month == 3 else 14  # 9 AM in New York, in UTC
        nine = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
        assert queue_reminders(now=clock.set(nine - timedelta(seconds=1))) == 0
        assert queue_reminders(now=clock.set(nine)) == 1

    def test_picked_up_before_it_is_sent_it_is_not_sent(self, paid, clock, run_tasks):
        queue_reminders(now=at(clock, self.DAY, 9))
        run_tasks._commit_hooks()
        run_tasks.waiting.clear()  # the task was lost
        type(paid).objects.update(status=PreOrderStatus.FULFILLED)
        dropped_at = at(clock, self.DAY, 9, 30)
        for _sweep in range(2):
            tasks.send_pending_emails_task.delay()
            run_tasks()
            clock.advance(minutes=5)
        assert mail.outbox == []
        (email,) = Email.objects.all()
        assert (email.sent_at, email.dropped_at, email.attempts) == (None, dropped_at, 1)

    def test_a_worker_that_died_after_sending_sends_the_same_message(self, paid, clock, run_tasks):
        at(clock, self.DAY, 9)
        tasks.queue_reminders_task.delay()
        run_tasks()
        Email.objects.update(sent_at=None)
        (email,) = Email.objects.all()
        assert send_email(email.pk, now=at(clock, self.DAY, 9, 10))
        first, second = mail.outbox
        assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]


class TestRejoin:
    """Failed on Monday at noon; offered again on Tuesday."""

    TUESDAY = date(2027, 3, 23)

    @pytest.fixture
    def failed(self, restaurant):
        return SpecialOfferFactory(
            restaurant=restaurant,
            name="Osso buco",
            status=OfferStatus.FAILED,
            created_at=NOON - timedelta(days=2),
            deadline=NOON,
            decided_at=NOON,
        )

    @pytest.fixture
    def released(self, failed, clock):
        order = self.release(failed)
        choose(order, clock, news=True)
        return order

    @staticmethod
    def release(offer, **columns):
        return PreOrderFactory(
            **{
                "offer": offer,
                "status": PreOrderStatus.CANCELLED,
                "payment_status": PaymentStatus.RELEASED,
                **columns,
            }
        )

    def again(self, clock, restaurant, **columns):
        now = at(clock, self.TUESDAY, 12)
        return SpecialOfferFactory(
            **{"restaurant": restaurant, "name": "osso Buco", "created_at": now, **columns}
        )

    def test_a_guest_of_a_failed_special_gets_one_email_for_each_new_one(
        self, released, restaurant, clock
    ):
        first = self.again(clock, restaurant)
        assert queue_reminders(now=clock.advance(minutes=9)) == 0
        assert queue_reminders(now=clock.advance(minutes=1)) == 1
        assert queue_reminders(now=clock.advance(minutes=5)) == 0
        second = self.again(clock, restaurant)
        assert queue_reminders(now=clock.advance(minutes=10)) == 1
        emails = Email.objects.order_by("number")
        assert [(row.kind, row.number, row.offer) for row in emails] == [
            ("rejoin", 1, first),
            ("rejoin", 2, second),
        ]
        assert {row.pre_order for row in emails} == {released}

    def test_the_email_answers_whoever_asked_for_the_dish(self, released, restaurant, clock):
        Subscriber.objects.update(wanted_offer=released.offer)
        self.again(clock, restaurant)
        assert queue_reminders(now=clock.advance(minutes=10)) == 1
        assert Subscriber.objects.get().wanted_offer is None

    def test_a_guest_who_ordered_twice_gets_one_email(self, released, failed, restaurant, clock):
        self.release(failed, customer_email="DANA@example.test")
        self.again(clock, restaurant)
        assert queue_reminders(now=clock.advance(minutes=10)) == 1

    def test_only_a_guest_who_wants_news_gets_the_email(self, failed, restaurant, clock):
        order = self.release(failed)
        self.again(clock, restaurant)
        assert queue_reminders(now=clock.advance(minutes=10)) == 0
        choose(order, clock, news=True)
        assert queue_reminders(now=clock.now) == 1

    def test_the_email_is_not_sent_at_night_or_at_the_last_moment(
        self, released, restaurant, clock
    ):
        offer = self.again(clock, restaurant)
        assert queue_reminders(now=at(clock, self.TUESDAY, 21)) == 0
        type(offer).objects.filter(pk=offer.pk).update(deadline=at(clock, self.TUESDAY, 15))
        assert queue_reminders(now=at(clock, self.TUESDAY, 14)) == 0
        assert queue_reminders(now=at(clock, self.TUESDAY, 13, 59)) == 1

    @pytest.mark.parametrize(
        "columns",
        [
            {"name": "Osso buco bianco"},
            {"status": OfferStatus.DELETED},
            {"max_preorders": 5, "reserved_portions": 5},
        ],
    )
    def test_other_specials_send_no_email(self, released, restaurant, clock, columns):
        self.again(clock, restaurant, **columns)
        assert queue_reminders(now=clock.advance(minutes=10)) == 0

    def test_another_restaurants_dish_sends_no_email(self, released, clock):
        self.again(clock, RestaurantFactory())
        assert queue_reminders(now=clock.advance(minutes=10)) == 0

    @pytest.mark.parametrize("status", [OfferStatus.SUCCEEDED, OfferStatus.DELETED])
    def test_a_special_that_succeeded_before_sends_no_email(
        self, released, failed, restaurant, clock, status
    ):
        type(failed).objects.filter(pk=failed.pk).update(status=status)
        self.again(clock, restaurant)
        assert queue_reminders(now=clock.advance(minutes=10)) == 0

    def test_a_guest_who_was_served_or_never_held_a_card_gets_no_email(
        self, failed, restaurant, clock
    ):
        for columns in (
            {"payment_status": PaymentStatus.CAPTURED, "status": PreOrderStatus.CONFIRMED},
            {"authorized_at": None, "payment_status": PaymentStatus.UNPAID},
        ):
            choose(self.release(failed, **columns), clock, news=True)
        self.again(clock, restaurant)
        queue_reminders(now=clock.advance(minutes=10))
        assert not Email.objects.filter(kind=EmailKind.REJOIN)

    def test_a_guest_who_already_ordered_gets_no_email(self, released, restaurant, clock):
        PreOrderFactory(offer=self.again(clock, restaurant), customer_email="Dana@example.test")
        assert queue_reminders(now=clock.advance(minutes=10)) == 0

    def test_turned_off_before_it_is_sent_it_is_not_sent(self, released, restaurant, clock):
        self.again(clock, restaurant)
        clock.advance(minutes=10)
        queue_reminders(now=clock.now)
        choose(released, clock, news=False)
        (email,) = Email.objects.all()
        assert not send_email(email.pk, now=clock.now)
        assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_write_each_email_once(clock):
    with rls.acting_as(rls.PLATFORM):
        restaurant = RestaurantFactory()
        day = date(2027, 3, 24)
        served = SpecialOfferFactory(
            restaurant=restaurant, status=OfferStatus.SUCCEEDED, serve_date=day, decided_at=NOON
        )
        failed = SpecialOfferFactory(
            restaurant=restaurant, name="Ragù", status=OfferStatus.FAILED, decided_at=NOON
        )
        now = at(clock, day, 10)
        fresh = {"restaurant": restaurant, "created_at": now - timedelta(hours=5)}
        SpecialOfferFactory(**fresh, name="Ragù", deadline=now + timedelta(hours=30))
        near = SpecialOfferFactory(**fresh, deadline=now + timedelta(hours=8))
        for number in range(5):
            address = {"customer_email": f"guest{number}@example.test"}
            TestPickUp.buy(served, **address)
            choose(TestRejoin.release(failed, **address), clock, news=True)
            for _try in range(2):
                TestUnfinished.leave(near, **address, created_at=now - timedelta(hours=2))

    def sweep():
        with rls.acting_as(rls.PLATFORM):
            queue_reminders(now=now)

    at_once(*[sweep] * 4)
    with rls.acting_as(rls.PLATFORM):
        assert written() == sorted(
            (kind, f"guest{number}@example.test")
            for kind in ("pick_up", "rejoin", "unfinished")
            for number in range(5)
        )
