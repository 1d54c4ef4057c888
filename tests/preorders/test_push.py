"""Web push: following a special, and messages to a push service on loopback."""

from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.preorders.core.notices import notify_owners
from apps.preorders.core.portions import recount, save_counts
from apps.preorders.core.push_keys import public_key, unpadded
from apps.preorders.models import PushMessage, PushSubscription
from apps.preorders.models.states import NoticeKind
from apps.preorders.push.sender import send_due
from tests.conftest import NOON
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.push_device import Device
from tests.receiver import listening

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


@pytest.fixture(autouse=True)
def push_is_on(settings):
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    settings.PUSH_PRIVATE_KEY = unpadded(number.to_bytes(32, "big"))
    settings.PUSH_CONTACT = "mailto:push@fullybooked.test"


@pytest.fixture
def service():
    with listening() as found:
        found.will_answer(201)
        yield found


@pytest.fixture
def browser(service):
    return Device(f"{service.url}/device/1")


@pytest.fixture
def lasagna(cast, clock):
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Lasagna",
        min_preorders=3,
        deadline=NOON + timedelta(days=1),
        serve_date=NOON.date() + timedelta(days=2),
    )


@pytest.fixture
def follow(api, cast, lasagna, browser):
    def follow(**changes):
        guest = api(at=cast.restaurant)
        return guest.post(f"/api/specials/{lasagna.pk}/follow", browser.subscription | changes)

    return follow


def order(offer, portions, now):
    PreOrderFactory(offer=offer, quantity=portions, payment_status="authorized")
    recount(SpecialOffer.objects.get(pk=offer.pk), now=now)


def test_a_guest_who_follows_hears_when_one_more_is_needed_and_when_it_is_on(
    follow, lasagna, browser, service, clock
):
    assert follow().status_code == 204
    order(lasagna, 1, clock.now)
    assert send_due(clock=lambda: clock.now) == 0
    order(lasagna, 1, clock.now)
    assert send_due(clock=lambda: clock.now) == 1
    order(lasagna, 1, clock.now)
    assert send_due(clock=lambda: clock.now) == 1
    near, on = (browser.read(each) for each in service.received)
    assert near["title"] == "One more and it's on: Lasagna"
    assert near["body"] == ("One more portion is needed at Luigi's by Tue, Mar 23, 12:00 PM EDT.")
    assert near["url"].endswith(f"/specials/{lasagna.pk}")
    assert near["stop"] == {"title": "Stop", "url": f"{near['url']}#stop-push"}
    assert on["title"] == "It's on: Lasagna"
    headers = service.received[0].headers
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["authorization"].startswith("vapid t=")
    assert headers["authorization"].endswith(f",k={public_key()}")
    assert (headers["ttl"], headers["urgency"]) == ("21600", "high")


def test_each_message_is_sent_once_however_often_the_count_goes_up_and_down(
    follow, lasagna, service, clock
):
    follow()
    for _ in range(3):
        for ordered in (2, 3, 1):
            save_counts(
                SpecialOffer.objects.get(pk=lasagna.pk),
                ordered=ordered,
                reserved=ordered,
                now=clock.now,
            )
            send_due(clock=lambda: clock.now)
    assert len(service.received) == 2


def test_a_message_that_is_no_longer_true_is_dropped(follow, lasagna, service, clock):
    follow()
    save_counts(SpecialOffer.objects.get(pk=lasagna.pk), ordered=2, reserved=2, now=clock.now)
    save_counts(SpecialOffer.objects.get(pk=lasagna.pk), ordered=1, reserved=1, now=clock.now)
    assert send_due(clock=lambda: clock.now) == 0
    assert service.received == []
    assert PushMessage.objects.get().done_at == NOON


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_ended_is_deleted(follow, lasagna, service, clock, status):
    follow()
    service.will_answer(status)
    save_counts(SpecialOffer.objects.get(pk=lasagna.pk), ordered=3, reserved=3, now=clock.now)
    send_due(clock=lambda: clock.now)
    assert not PushSubscription.objects.exists()
    assert not PushMessage.objects.exists()


def test_a_push_service_in_trouble_is_asked_again_and_then_given_up(
    follow, lasagna, service, clock
):
    follow()
    service.will_answer(503)
    save_counts(SpecialOffer.objects.get(pk=lasagna.pk), ordered=3, reserved=3, now=clock.now)
    for _ in range(40):
        send_due(clock=lambda: clock.now)
        clock.advance(minutes=5)
    assert len(service.received) == 5
    assert PushMessage.objects.get().done_at is not None
    assert PushSubscription.objects.exists()


def test_a_guest_who_unfollows_gets_no_more_messages(
    follow, lasagna, browser, service, clock, api, cast
):
    follow()
    guest = api(at=cast.restaurant)
    stop = {"endpoint": browser.url}
    assert guest.post(f"/api/specials/{lasagna.pk}/unfollow", stop).status_code == 204
    save_counts(SpecialOffer.objects.get(pk=lasagna.pk), ordered=3, reserved=3, now=clock.now)
    send_due(clock=lambda: clock.now)
    assert service.received == []
    assert not PushSubscription.objects.exists()


def test_following_twice_is_one_subscription(follow):
    follow()
    follow()
    assert PushSubscription.objects.count() == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": "ftp://push.test/1"},
        {"endpoint": "https://user:secret@push.test/1"},
        {"endpoint": "https://push.test/" + "x" * 500},
        {"p256dh": "AAAA"},
        {"p256dh": "!" * 87},
        {"auth": "AAAA"},
        {"auth": None},
    ],
)
def test_what_no_browser_sends_is_refused_and_nothing_is_stored(follow, changes):
    answer = follow(**changes)
    assert answer.status_code == 400
    assert "isn't a push subscription" in answer.json()["message"]
    assert not PushSubscription.objects.exists()


def test_an_address_inside_our_network_is_never_called(follow, lasagna, service, clock, settings):
    follow()
    settings.OUTBOUND_TO_PRIVATE_ADDRESSES = False
    save_counts(SpecialOffer.objects.get(pk=lasagna.pk), ordered=3, reserved=3, now=clock.now)
    assert send_due(clock=lambda: clock.now) == 0
    assert service.received == []


def test_a_special_that_is_over_or_another_restaurants_cannot_be_followed(
    follow, lasagna, clock, api, cast, browser
):
    clock.advance(days=2)
    assert follow().status_code == 409
    foreign = SpecialOfferFactory(deadline=NOON + timedelta(days=3))
    answer = api(at=cast.restaurant).post(
        f"/api/specials/{foreign.pk}/follow", browser.subscription
    )
    assert answer.status_code == 404
    assert not PushSubscription.objects.exists()


def test_without_a_key_push_is_off(follow, settings):
    settings.PUSH_PRIVATE_KEY = ""
    assert follow().status_code == 409
    assert public_key() == ""


def test_an_owner_hears_on_their_device_what_they_are_emailed(
    api, cast, lasagna, browser, service, clock
):
    assert api(cast.owner).post("/api/notices/push", browser.subscription).status_code == 204
    SpecialOffer.objects.filter(pk=lasagna.pk).update(ordered_portions=1)
    for _ in range(2):
        with rls.acting_as(cast.restaurant):
            notify_owners(
                NoticeKind.FIRST_ORDER, SpecialOffer.objects.get(pk=lasagna.pk), now=clock.now
            )
    assert send_due(clock=lambda: clock.now) == 1
    [received] = service.received
    shown = browser.read(received)
    assert "Lasagna" in shown["title"]
    assert shown["url"].endswith(f"/restaurant/offers/{lasagna.pk}")
    assert shown["stop"]["url"].endswith("/restaurant/notices#stop-push")
    stop = {"endpoint": browser.url}
    assert api(cast.owner).post("/api/notices/push/stop", stop).status_code == 204
    assert not PushSubscription.objects.exists()


def test_kitchen_staff_cannot_turn_on_the_owners_notices(api, cast, browser):
    answer = api(cast.kitchen).post("/api/notices/push", browser.subscription)
    assert answer.status_code == 403


def test_the_special_offers_it_where_push_is_on(api, cast, lasagna, settings):
    guest = api(at=cast.restaurant)
    page = guest.get(f"/specials/{lasagna.pk}").content.decode()
    assert f'data-push-start="/api/specials/{lasagna.pk}/follow"' in page
    assert f'data-push-key="{public_key()}"' in page


def test_the_owners_notices_offer_it(api, cast):
    page = api(cast.owner).get("/restaurant/notices").content.decode()
    assert 'data-push-start="/api/notices/push"' in page


def test_the_worker_of_push_messages_is_at_the_root(api, cast):
    for host in (api(), api(at=cast.restaurant)):
        answer = host.get("/push-worker.js")
        assert answer["Content-Type"] == "text/javascript; charset=utf-8"
