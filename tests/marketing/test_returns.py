"""Who asks for a dish that can't be ordered hears of it once, as soon as it can be."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from apps.common import rls
from apps.marketing.campaigns.nudges import queue_nudges
from apps.marketing.campaigns.returns import queue_returns
from apps.marketing.models import Campaign, EmailInvitation
from apps.marketing.subscribers.follow import request_follow
from apps.marketing.tasks import queue_nudges_task, queue_returns_task, run_campaigns_task
from apps.offers.models import PickupSlot
from apps.offers.states import OfferStatus
from apps.preorders.models import Subscriber
from apps.preorders.models.states import PaymentStatus
from apps.restaurants.models import Restaurant
from tests.conftest import NOON, Cast, Clock
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
DANA = "dana@example.test"


def special(cast: Cast, clock: Clock, **columns: Any) -> Any:
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        created_at=clock.now - timedelta(hours=1),
        **{"name": "Cassoulet", "deadline": clock.now + timedelta(days=2), **columns},
    )


def failed(cast: Cast, clock: Clock, **columns: Any) -> Any:
    return special(cast, clock, status=OfferStatus.FAILED, **columns)


def asks(offer: Any, *, email: str = DANA, **columns: Any) -> Subscriber:
    with rls.acting_as(rls.PLATFORM):
        return Subscriber.objects.create(
            **{
                "restaurant": offer.restaurant,
                "email": email,
                "status": Subscriber.Status.CONFIRMED,
                "language": "en-us",
                "wanted_offer": offer,
                "consent_at": NOON,
                "changed_at": NOON,
                **columns,
            }
        )


def run(run_tasks: Any) -> None:
    """Run what the schedule runs, and then the workers."""
    queue_returns_task()
    queue_nudges_task()
    run_campaigns_task()
    run_tasks()


def emails() -> list[tuple[str, str]]:
    return [(each.to[0], str(each.subject)) for each in mail.outbox]


def wish() -> Any:
    with rls.acting_as(rls.PLATFORM):
        return Subscriber.objects.get().wanted_offer_id


def is_paid(cast: Cast, enabled: bool) -> None:
    with rls.acting_as(rls.PLATFORM):
        account = Restaurant.objects.get(pk=cast.restaurant.pk).connect_account
        account.charges_enabled = enabled
        account.save()


def test_who_asked_for_a_dish_is_told_once_when_another_special_of_it_opens(
    cast: Cast, clock: Clock, run_tasks: Any
) -> None:
    asks(failed(cast, clock))
    asks(failed(cast, clock, name="Osso buco"), email="leo@example.test")
    run(run_tasks)
    assert mail.outbox == []
    back = special(cast, clock, name="cassoulet")
    for _ in range(3):
        run(run_tasks)
        clock.advance(hours=1)
    assert emails() == [(DANA, "You can order cassoulet now")]
    assert "If you order, your bank holds the total, and nothing is charged" in mail.outbox[0].body
    with rls.acting_as(rls.PLATFORM):
        campaign = Campaign.objects.get()
        assert (campaign.kind, campaign.special_offer_id) == (Campaign.Kind.RETURN, back.pk)
        assert not Subscriber.objects.get(email=DANA).wanted_offer_id
        assert Subscriber.objects.get(email="leo@example.test").wanted_offer_id


def test_who_asked_before_the_restaurant_takes_orders_is_told_when_it_does(
    cast: Cast, clock: Clock, run_tasks: Any
) -> None:
    is_paid(cast, False)
    asks(special(cast, clock))
    run(run_tasks)
    assert mail.outbox == []
    is_paid(cast, True)
    run(run_tasks)
    assert emails() == [(DANA, "You can order Cassoulet now")]


@pytest.mark.parametrize(
    "columns",
    [
        {"status": Subscriber.Status.PENDING},
        {"status": Subscriber.Status.UNSUBSCRIBED},
        {"status": Subscriber.Status.SUPPRESSED},
        {"wanted_offer": None},
    ],
)
def test_who_has_not_asked_or_cannot_be_emailed_hears_nothing(
    cast: Cast, clock: Clock, run_tasks: Any, columns: Any
) -> None:
    asks(failed(cast, clock), **columns)
    special(cast, clock)
    run(run_tasks)
    assert mail.outbox == []


def test_what_cannot_be_ordered_leaves_the_wish_for_what_can(
    cast: Cast, clock: Clock, run_tasks: Any
) -> None:
    before = failed(cast, clock)
    asks(before)
    special(cast, clock, max_preorders=5, ordered_portions=5, reserved_portions=5)
    special(cast, clock, status=OfferStatus.FAILED)
    run(run_tasks)
    assert mail.outbox == []
    assert wish() == before.pk


def test_a_wish_stays_when_the_special_sells_out_before_its_email_is_sent(
    cast: Cast, clock: Clock, run_tasks: Any
) -> None:
    asks(failed(cast, clock))
    back = special(cast, clock)
    queue_returns_task()
    run_campaigns_task()
    with rls.acting_as(rls.PLATFORM):
        type(back).objects.filter(pk=back.pk).update(max_preorders=5, reserved_portions=5)
    run_tasks()
    assert mail.outbox == []
    assert wish() == back.pk


@pytest.mark.parametrize("is_full_again", [False, True])
def test_who_asked_while_every_time_was_full_is_told_when_one_opens_up(
    cast: Cast, clock: Clock, run_tasks: Any, is_full_again: bool
) -> None:
    full = special(cast, clock, max_preorders=9, ordered_portions=2, reserved_portions=2)
    with rls.acting_as(rls.PLATFORM):
        begins = clock.now + timedelta(days=3)
        slot = PickupSlot.objects.create(
            restaurant=cast.restaurant,
            offer=full,
            starts_at=begins,
            ends_at=begins + timedelta(hours=1),
            capacity=2,
        )
    order = PreOrderFactory(
        offer=full, pickup_slot=slot, quantity=2, customer_email="leo@example.test"
    )
    asks(full, wanted_offer=None)
    with rls.acting_as(cast.restaurant):
        for _ in range(2):
            request_follow(
                restaurant=cast.restaurant,
                address=DANA,
                language="en-us",
                special_id=full.pk,
                now=clock.now,
            )
    assert wish() == full.pk
    run(run_tasks)
    assert emails() == [(DANA, "We'll email you when you can order Cassoulet")]
    mail.outbox.clear()
    with rls.acting_as(rls.PLATFORM):
        PickupSlot.objects.filter(pk=slot.pk).update(capacity=3)
    queue_returns_task()
    run_campaigns_task()
    if is_full_again:
        with rls.acting_as(rls.PLATFORM):
            type(order).objects.filter(pk=order.pk).update(quantity=3)
    run_tasks()
    assert emails() == ([] if is_full_again else [(DANA, "You can order Cassoulet now")])
    assert wish() == (full.pk if is_full_again else None)


def test_of_a_dish_on_two_dates_the_guest_hears_once(
    cast: Cast, clock: Clock, run_tasks: Any
) -> None:
    asks(failed(cast, clock))
    special(cast, clock, deadline=clock.now + timedelta(days=9))
    first = special(cast, clock)
    for _ in range(2):
        run(run_tasks)
    assert len(mail.outbox) == 1
    with rls.acting_as(rls.PLATFORM):
        assert Campaign.objects.get().special_offer_id == first.pk


def test_who_ordered_it_or_had_a_hold_released_for_it_gets_no_second_email(
    cast: Cast, clock: Clock, run_tasks: Any
) -> None:
    before = failed(cast, clock, decided_at=clock.now - timedelta(hours=2))
    back = special(cast, clock)
    asks(before)
    PreOrderFactory(offer=back, customer_email=DANA)
    asks(before, email="leo@example.test")
    PreOrderFactory(
        offer=before,
        customer_email="leo@example.test",
        payment_status=PaymentStatus.RELEASED,
        authorized_at=clock.now - timedelta(days=1),
    )
    with rls.acting_as(rls.PLATFORM):
        assert queue_returns(now=clock.now) == 0


def test_who_got_it_is_not_nudged_about_the_same_special(
    cast: Cast, clock: Clock, run_tasks: Any
) -> None:
    before = failed(cast, clock)
    asks(before)
    asks(before, email="leo@example.test", wanted_offer=None)
    special(cast, clock, min_preorders=10, ordered_portions=8)
    for _ in range(2):
        run(run_tasks)
    assert sorted(emails()) == [
        (DANA, "You can order Cassoulet now"),
        ("leo@example.test", "2 more and it's on: Cassoulet"),
    ]


def test_another_restaurants_followers_hear_nothing(
    cast: Cast, clock: Clock, run_tasks: Any
) -> None:
    elsewhere = SpecialOfferFactory(
        restaurant=cast.other, name="Cassoulet", status=OfferStatus.FAILED
    )
    asks(elsewhere)
    special(cast, clock)
    run(run_tasks)
    assert mail.outbox == []


@pytest.mark.parametrize("hours", [10, 22])  # eleven in the evening there, and eleven the next day
def test_nothing_is_sent_at_night(cast: Cast, clock: Clock, run_tasks: Any, hours: int) -> None:
    asks(failed(cast, clock))
    special(cast, clock)
    clock.set(NOON + timedelta(hours=hours))
    run(run_tasks)
    assert len(mail.outbox) == (0 if hours == 10 else 1)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_write_one_email(cast: Cast, clock: Clock, run_tasks: Any) -> None:
    asks(failed(cast, clock))
    special(cast, clock, min_preorders=10, ordered_portions=8)

    def work() -> int:
        with rls.acting_as(rls.PLATFORM):
            return queue_returns(now=clock.now) + queue_nudges(now=clock.now)

    at_once(work, work)
    with rls.acting_as(rls.PLATFORM):
        assert Campaign.objects.filter(kind=Campaign.Kind.RETURN).count() == 1
    run_campaigns_task()
    with rls.acting_as(rls.PLATFORM):
        assert EmailInvitation.objects.filter(campaign__kind=Campaign.Kind.RETURN).count() == 1
