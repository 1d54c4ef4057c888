"""Notices to owners about their specials: which, when, and to whom."""

from datetime import time, timedelta
from urllib.parse import urlencode

import pytest

from apps.preorders import tasks
from apps.preorders.core.notices import end_of_quiet_hours, save_notice_preference
from apps.preorders.models import Email, NoticePreference, Subscriber
from apps.preorders.models.states import EmailKind, NoticeKind
from apps.restaurants.models import Membership
from tests.factories import MembershipFactory
from tests.preorders.world import OFF_SESSION_DECLINED

ALL = set(NoticeKind)
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def owner(world):
    return MembershipFactory(restaurant=world.restaurant).user


def choose(world, owner, *, wanted=ALL, quiet_from=time(0), quiet_until=time(0)):
    """Choose what the owner wants to hear of; without quiet hours unless the test names them."""
    return save_notice_preference(
        restaurant=world.restaurant,
        user=owner,
        wanted=set(wanted),
        quiet_from=quiet_from,
        quiet_until=quiet_until,
        now=world.now,
    )


def sweep(world):
    tasks.queue_reminders_task.delay()
    tasks.send_pending_emails_task.delay()
    world.work()


def subjects(mailoutbox, owner):
    return [message.subject for message in mailoutbox if message.to == [owner.email]]


def test_an_owner_hears_of_the_first_order_of_a_special_and_of_no_second(world, owner, mailoutbox):
    choose(world, owner)
    offer = world.offer(min_preorders=3)
    world.authorized_order(offer, 2)
    world.later(minutes=1)
    world.authorized_order(offer, 1)
    world.work()
    assert subjects(mailoutbox, owner) == [f"First order: {offer.name}"]
    [message] = [each for each in mailoutbox if each.to == [owner.email]]
    assert "The minimum is met." in message.body
    assert "\n2 portions\n$51.84 held on the guest's card\n" in message.body  # not both orders
    assert "/restaurant/notices" in message.body
    assert "It's on: 3 portions ordered so far\n" in message.body
    shown = message.alternatives[0][0]
    assert shown.count('<div class="seat-on"') == 3
    assert shown.index("<h1") < shown.index('class="seat-on"') < shown.rindex("The minimum")
    assert f"/restaurant/offers/{offer.pk}" in shown[: shown.index("</h1>")]


def test_a_manager_gets_no_notices(world, owner, mailoutbox):
    choose(world, owner)
    manager = MembershipFactory(restaurant=world.restaurant, role=Membership.Role.MANAGER).user
    world.authorized_order(world.offer(min_preorders=3))
    world.work()
    assert subjects(mailoutbox, manager) == []


def test_an_owner_is_told_six_hours_before_a_special_closes_that_it_is_short(
    world, owner, mailoutbox
):
    choose(world, owner)
    offer = world.offer(min_preorders=5)
    world.authorized_order(offer, 3)
    world.at(offer.deadline - timedelta(hours=7))
    sweep(world)
    assert [each for each in subjects(mailoutbox, owner) if "short" in each] == []
    world.at(offer.deadline - timedelta(hours=6))
    sweep(world)
    world.later(minutes=5)
    sweep(world)
    expected = f"2 portions short, 6 hours left: {offer.name}"
    assert [each for each in subjects(mailoutbox, owner) if "short" in each] == [expected]


def follow(world, *addresses, status=Subscriber.Status.CONFIRMED):
    for address in addresses:
        Subscriber.objects.create(
            restaurant=world.restaurant,
            email=address,
            status=status,
            consent_at=world.now,
            changed_at=world.now,
        )


def test_the_push_leads_to_an_email_to_the_followers_who_have_not_ordered(
    world, owner, mailoutbox, api
):
    choose(world, owner)
    offer = world.offer(min_preorders=5)
    ordered = world.authorized_order(offer, 3)
    follow(world, ordered.customer_email.lower(), "new@example.test", "old@example.test")
    follow(world, "gone@example.test", status=Subscriber.Status.UNSUBSCRIBED)
    world.at(offer.deadline - timedelta(hours=6))
    sweep(world)
    [message] = [each for each in mailoutbox if "short" in each.subject]
    assert "2 followers can still order it." in message.body
    path = f"/restaurant/audience/emails/new?special={offer.pk}"
    assert f"Email followers:\nhttp://localhost:8000{path}\n" in message.body
    assert f"/restaurant/offers/{offer.pk}" in message.body
    assert path in message.alternatives[0][0]

    page = api(owner).get(path).content.decode()
    assert f'<option value="{offer.pk}" selected>' in page
    assert ">Email 2 followers</button>" in page


def test_the_push_of_a_restaurant_without_followers_leads_to_the_special(world, owner, mailoutbox):
    choose(world, owner)
    offer = world.offer(min_preorders=5)
    follow(world, "pending@example.test", status=Subscriber.Status.PENDING)
    world.at(offer.deadline - timedelta(hours=6))
    sweep(world)
    [message] = [each for each in mailoutbox if "short" in each.subject]
    assert "follower" not in message.body.lower()
    assert f"Give it a push:\nhttp://localhost:8000/restaurant/offers/{offer.pk}\n" in message.body


def test_a_special_that_met_its_minimum_needs_no_push(world, owner, mailoutbox):
    choose(world, owner)
    offer = world.offer(min_preorders=2)
    world.authorized_order(offer, 2)
    world.at(offer.deadline - timedelta(hours=5))
    sweep(world)
    assert not Email.objects.filter(kind=EmailKind.NEEDS_A_PUSH).exists()


def test_an_owner_hears_of_a_declined_card(world, owner, mailoutbox):
    choose(world, owner)
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer, 2)
    broken = world.authorized_order(offer, 1, card=OFF_SESSION_DECLINED)
    fault = {"kind": "decline", "payment_intent": broken.payment_intent_id, "times": 9}
    world.stripe.control(capture_fault=fault)
    world.settle(offer)
    sweep(world)
    assert f"1 card declined: {offer.name}" in subjects(mailoutbox, owner)
    [message] = [each for each in mailoutbox if each.subject.startswith("1 card declined")]
    assert "$25.92 not charged yet\n" in message.body
    assert '<div class="seat' not in message.alternatives[0][0]


def test_a_notice_that_an_owner_turned_off_is_never_sent(world, owner, mailoutbox):
    choose(world, owner, wanted=ALL - {NoticeKind.OFFER_RESULT, NoticeKind.FIRST_ORDER})
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    world.settle(offer)
    assert subjects(mailoutbox, owner) == []


def test_a_notice_in_quiet_hours_waits_until_they_end(world, owner, mailoutbox):
    zone = world.restaurant.zone
    local = world.now.astimezone(zone)
    choose(
        world,
        owner,
        quiet_from=local.time().replace(minute=0),
        quiet_until=(local + timedelta(hours=3)).time().replace(minute=0),
    )
    offer = world.offer(min_preorders=3)
    world.authorized_order(offer, 1)
    sweep(world)
    assert subjects(mailoutbox, owner) == []
    world.later(hours=3, minutes=1)
    sweep(world)
    assert subjects(mailoutbox, owner) == [f"First order: {offer.name}"]


def test_a_notice_that_is_no_longer_true_after_quiet_hours_is_dropped(world, owner, mailoutbox):
    zone = world.restaurant.zone
    local = world.now.astimezone(zone)
    choose(
        world,
        owner,
        quiet_from=local.time().replace(minute=0),
        quiet_until=(local + timedelta(hours=3)).time().replace(minute=0),
    )
    offer = world.offer(min_preorders=3)
    order = world.authorized_order(offer, 1)
    sweep(world)
    world.cancel(order)
    world.later(hours=3, minutes=1)
    sweep(world)
    assert subjects(mailoutbox, owner) == []
    assert Email.objects.get(kind=EmailKind.FIRST_ORDER).dropped_at is not None


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ((21, 59), (0, 21, 59)),
        ((22, 0), (1, 8, 0)),
        ((3, 30), (0, 8, 0)),
        ((8, 0), (0, 8, 0)),
        ((12, 0), (0, 12, 0)),
    ],
)
def test_quiet_hours_over_midnight_end_in_the_morning(world, at, expected):
    zone = world.restaurant.zone
    midnight = world.now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    now = midnight.replace(hour=at[0], minute=at[1])
    days, hour, minute = expected
    ends = end_of_quiet_hours(NoticePreference(), zone, now=now)
    assert ends == midnight.replace(hour=hour, minute=minute) + timedelta(days=days)


class TestPage:
    def test_an_owner_chooses_their_notices(self, cast, api):
        page = api(cast.owner).get("/restaurant/notices")
        assert page.status_code == 200
        assert page.content.count(b"checked") == len(NoticeKind)
        form = {"wanted": ["offer_result"], "quiet_from": "23:00", "quiet_until": "07:00"}
        assert (
            api(cast.owner)
            .post("/restaurant/notices", urlencode(form, doseq=True), FORM)
            .status_code
            == 302
        )
        page = api(cast.owner).get("/restaurant/notices").content.decode()
        assert page.count("checked") == 1
        assert '<option value="23:00" selected>11 PM</option>' in page

    def test_an_unknown_notice_or_hour_is_refused_and_saves_nothing(self, cast, api):
        form = {"wanted": ["lottery"], "quiet_from": "23:30", "quiet_until": ""}
        page = api(cast.owner).post("/restaurant/notices", urlencode(form, doseq=True), FORM)
        assert page.status_code == 400
        assert "Choose a full hour." in page.content.decode()
        assert not NoticePreference.objects.exists()
