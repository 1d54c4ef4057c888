"""What a restaurant writes to the guests of one special."""

import pytest

from apps.activity.models import LoggedEvent
from apps.offers.models import OfferChange
from apps.preorders.models import Email, GuestMessage
from apps.preorders.models.states import EmailKind
from apps.preorders.special.messages import MAX_MESSAGES
from apps.restaurants.models import Membership
from tests.factories import MembershipFactory

TEXT = "We moved to 6:30.\nPlease use the side door."


@pytest.fixture
def owner(world):
    return MembershipFactory(restaurant=world.restaurant).user


def path(offer, rest=""):
    return f"/api/specials/{offer.pk}/messages{rest}"


def held(world, offer, quantity, email):
    order = world.begin(offer, quantity, email=email)
    world.pay(order)
    world.hear(order)
    return world.fresh(order)


def received(mailoutbox):
    return [each for each in mailoutbox if each.subject.startswith("A message about your order")]


def test_guests_whose_order_stands_get_the_message_once_each(world, api, owner, mailoutbox):
    offer = world.offer(min_preorders=9)
    ann = held(world, offer, 2, "ann@example.test")
    held(world, offer, 1, "ANN@example.test")
    held(world, offer, 1, "ben@example.test")
    gone = held(world, offer, 1, "gone@example.test")
    world.cancel(gone)
    world.begin(offer, email="left@example.test")
    answer = api(owner).post(path(offer), {"text": TEXT})
    assert (answer.status_code, answer.json()["guests"]) == (201, 2)
    world.work()
    messages = received(mailoutbox)
    assert sorted(each.to[0].split("<")[-1].strip(">").lower() for each in messages) == [
        "ann@example.test",
        "ben@example.test",
    ]
    body = messages[0].body
    assert "> We moved to 6:30.\n\n> Please use the side door." in body
    assert "Nothing changes about your order or its payment." in body
    change = OfferChange.objects.get(offer=offer, kind=OfferChange.Kind.MESSAGE)
    assert (change.guests_told, change.by) == (2, owner.name)
    assert LoggedEvent.objects.filter(kind="guests_messaged").count() == 1
    assert world.fresh(ann).payment_status == "authorized"


def test_a_preview_shows_what_a_guest_reads_and_sends_nothing(world, api, owner, mailoutbox):
    offer = world.offer(min_preorders=9)
    held(world, offer, 2, "ann@example.test")
    answer = api(owner).post(path(offer, "/preview"), {"text": TEXT}).json()
    assert answer["guests"] == 1
    assert answer["subject"] == f"A message about your order: {offer.name}"
    assert answer["paragraphs"][:2] == ["> We moved to 6:30.", "> Please use the side door."]
    world.work()
    assert received(mailoutbox) == []
    assert not GuestMessage.objects.exists()


@pytest.mark.parametrize("text", ["", "   ", "x" * 1001, None])
def test_a_message_without_text_or_too_long_is_refused(world, api, owner, text):
    offer = world.offer(min_preorders=9)
    world.authorized_order(offer)
    answer = api(owner).post(path(offer), {"text": text})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert not GuestMessage.objects.exists()


def test_nobody_to_message_is_a_clear_refusal(world, api, owner):
    offer = world.offer(min_preorders=9)
    for rest in ("", "/preview"):
        answer = api(owner).post(path(offer, rest), {"text": TEXT})
        assert answer.status_code == 409
        assert answer.json()["message"].startswith("No guest of this special can be emailed")


def test_a_special_has_a_limit_of_messages(world, api, owner):
    offer = world.offer(min_preorders=9)
    world.authorized_order(offer)
    for _ in range(MAX_MESSAGES):
        assert api(owner).post(path(offer), {"text": TEXT}).status_code == 201
    assert api(owner).post(path(offer), {"text": TEXT}).status_code == 409
    assert Email.objects.filter(kind=EmailKind.GUEST_MESSAGE).count() == MAX_MESSAGES


def test_the_kitchen_and_other_restaurants_cannot_message_guests(world, api):
    offer = world.offer(min_preorders=9)
    world.authorized_order(offer)
    kitchen = MembershipFactory(restaurant=world.restaurant, role=Membership.Role.KITCHEN).user
    assert api(kitchen).post(path(offer), {"text": TEXT}).status_code == 403
    stranger = MembershipFactory().user
    assert api(stranger).post(path(offer), {"text": TEXT}).status_code == 404
    assert not GuestMessage.objects.exists()


def test_the_same_request_sent_twice_is_one_message(world, api, owner):
    offer = world.offer(min_preorders=9)
    world.authorized_order(offer)
    for _ in range(2):
        api(owner).post(path(offer), {"text": TEXT}, headers={"Idempotency-Key": "once"})
    assert GuestMessage.objects.count() == 1
