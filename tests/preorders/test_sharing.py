"""Share links: orders that come through one count for the order it belongs to, and for no other."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest

from apps.offers.visits import LINK_COUNTS, counting_key, counting_server
from apps.preorders.checkout import services as checkout_services
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.core import referrals
from apps.preorders.guest import changes
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.models import PreOrder
from tests.preorders.world import World

FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=4, name="Osso Buco")


@pytest.fixture
def sharer(world, offer):
    return world.authorized_order(offer, 2)


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


@pytest.fixture(autouse=True)
def nothing_counted():
    counting_server().delete(counting_key(LINK_COUNTS), counting_key(referrals.BEING_WRITTEN))


def order_through(
    world: World, offer, referral_code: str, email: str = "frida@example.test"
) -> PreOrder:
    order = checkout_services.begin_order(
        offer_id=offer.pk,
        quantity=1,
        guest=GuestDetails("Frida", email, "+1 212 555 0100"),
        claimed_total=None,
        referral_code=referral_code,
        now=world.now,
    )
    world.pay(order)
    world.hear(order)
    return world.fresh(order)


def test_a_friend_who_came_through_the_link_is_credited(world, offer, sharer):
    friend = order_through(world, offer, sharer.share_code)
    assert friend.referred_by_id == sharer.pk
    assert referrals.count_referrals(sharer) == 1
    assert referrals.referral_totals(offer) == referrals.ReferralTotals(
        visits=0, orders=1, portions=1
    )
    world.cancel(friend)
    assert referrals.count_referrals(sharer) == 0
    assert [each.pk for each in referrals.referred_orders(sharer)] == [friend.pk]


def test_a_checkout_that_is_not_finished_counts_nothing(world, offer, sharer):
    checkout_services.begin_order(
        offer_id=offer.pk,
        quantity=1,
        guest=GuestDetails("Frida", "frida@example.test", "1"),
        claimed_total=None,
        referral_code=sharer.share_code,
        now=world.now,
    )
    assert referrals.count_referrals(sharer) == 0


@pytest.mark.parametrize("referral_code", ["", "nonsense", "0" * 12, "../../etc", "A" * 12])
def test_a_code_we_do_not_know_credits_nobody_and_is_no_error(world, offer, sharer, referral_code):
    assert order_through(world, offer, referral_code).referred_by_id is None


def test_a_referral_by_the_guest_or_of_another_restaurant_does_not_count(world, offer, sharer):
    own = order_through(world, offer, sharer.share_code, sharer.customer_email.upper())
    assert own.referred_by_id is None
    elsewhere = world.open_restaurant(name="Ming's", subdomain="mings")
    theirs = world.offer(restaurant=elsewhere)
    assert order_through(world, theirs, sharer.share_code).referred_by_id is None
    assert referrals.count_referrals(sharer) == 0


def test_visits_through_the_link_are_counted_and_written_down_once(world, offer, sharer, guest):
    seen = f"/api/specials/{offer.pk}/seen"
    person = {"User-Agent": "Mozilla/5.0"}
    for query in (f"?ref={sharer.share_code}", f"?ref={sharer.share_code}", "?ref=x", ""):
        assert guest.post(seen + query, headers=person).status_code == 204
    assert guest.post(f"{seen}?ref={sharer.share_code}", headers={"DNT": "1"}).status_code == 204
    assert referrals.record_link_visits() == 1
    assert referrals.record_link_visits() == 0
    assert world.fresh(sharer).link_visits == 2


@pytest.mark.parametrize("by", ["field", "address"])
def test_the_form_takes_the_code_along_with_and_without_a_script(world, offer, sharer, guest, by):
    """Without one, the browser says at which address the form stood."""
    typed = {
        "quantity": "1",
        "customerName": "Frida",
        "customerEmail": "frida@example.test",
        "customerPhone": "+1 212 555 0100",
        "ref": sharer.share_code if by == "field" else "",
    }
    address = f"http://{world.restaurant.subdomain}.localhost/specials/{offer.pk}"
    headers = {"Sec-Fetch-Site": "same-origin"}
    if by == "address":
        headers["Referer"] = f"{address}?ref={sharer.share_code}"
    faulty = guest.post(
        f"/specials/{offer.pk}/pre-order", urlencode({**typed, "quantity": "0"}), FORM,
        headers=headers,
    )  # fmt: skip
    assert f'name="ref" value="{sharer.share_code}"' in faulty.text
    done = guest.post(f"/specials/{offer.pk}/pre-order", urlencode(typed), FORM, headers=headers)
    assert done.status_code == 303
    assert PreOrder.objects.get(customer_name="Frida").referred_by_id == sharer.pk


def test_the_sharers_page_says_the_gap_and_who_joined(world, offer, sharer, guest):
    page = guest.get(f"/pre-order-confirmation?preorder={sharer.pk}").text
    assert f"/specials/{offer.pk}?ref={sharer.share_code}" in page
    assert "2 more and it&#x27;s on" in page
    first = ["Your bank is holding", "Make it happen with friends</h2>", 'id="way"']
    assert sorted(first, key=page.index) == first
    assert len(re.findall(r"data-own\s+data-filled", page)) == sharer.quantity
    assert f"{sharer.quantity} yours</p>" in page
    assert "If it&#x27;s on, we&#x27;ll charge your card" in page
    assert "joined through your link" not in page
    order_through(world, offer, sharer.share_code)
    page = guest.get(f"/pre-order-confirmation?preorder={sharer.pk}").text
    assert "1 more and it&#x27;s on" in page
    assert "1 friend joined through your link." in page


def test_the_sharers_page_says_what_is_left_once_it_is_on_and_sold_out_when_it_is(world, guest):
    offer = world.offer(min_preorders=1, max_preorders=3)
    sharer = world.authorized_order(offer, 2)
    page = guest.get(f"/pre-order-confirmation?preorder={sharer.pk}").text
    # Those who made it happen are asked first; once it's sold out, or on anyway, after the rest.
    first = ["Your bank is holding", "Know someone who'd love this?</h2>", 'id="way"']
    assert sorted(first, key=page.index) == first
    assert page.count('id="bring-friends"') == 1
    assert "It&#x27;s on. 1 portion left" in page
    assert re.search(r"<h1 data-outcome[^>]*><span[^>]*>You made Special \d+ happen!</span>", page)
    assert "data-label>Share</span>" in page
    world.later(minutes=1)
    world.authorized_order(offer, 1)
    page = guest.get(f"/pre-order-confirmation?preorder={sharer.pk}").text
    assert page.index('id="way"') < page.index("It's sold out, but there's a waitlist</h2>")
    assert "Sold out" in page
    assert re.search(r"<h1 data-outcome[^>]*><span[^>]*>You made Special \d+ happen!</span>", page)
    assert "data-label>Share the waitlist</span>" in page


def test_of_orders_held_in_the_same_second_one_alone_met_the_minimum(world, guest):
    offer = world.offer(min_preorders=4)
    orders = []
    for _ in range(3):
        orders.append(world.authorized_order(offer, 2))
        world.later(seconds=1)
    # Stripe's times are whole seconds.
    PreOrder.objects.update(authorized_at=orders[0].authorized_at)
    pages = [guest.get(f"/pre-order-confirmation?preorder={each.pk}").text for each in orders]
    assert ["happen!</span>" in page for page in pages] == [False, True, False]


def test_a_later_change_does_not_take_it_from_the_guest_who_made_it_happen(world, guest):
    offer = world.offer(min_preorders=4, max_preorders=None)
    nora = world.authorized_order(offer, 1)
    world.later(minutes=1)
    other = world.authorized_order(offer, 2)
    world.later(minutes=1)
    iris = world.authorized_order(offer, 1)

    def is_told() -> list[bool]:
        paths = [f"/pre-order-confirmation?preorder={each.pk}" for each in (nora, other, iris)]
        return ["happen!</span>" in guest.get(path).text for path in paths]

    assert is_told() == [False, False, True]
    world.later(minutes=1)
    changes.change_quantity(order=nora, quantity=2, now=world.now)
    assert world.fresh(nora).authorized_at > iris.authorized_at  # a new hold
    assert is_told() == [False, False, True]
    changes.change_quantity(order=nora, quantity=1, now=world.now)
    assert is_told() == [False, False, True]
    world.later(minutes=1)
    # Without her the others are enough, and nobody else made it; until it was short again.
    changes.change_quantity(order=nora, quantity=2, now=world.now)
    cancel_own_order(order=iris, now=world.now)
    assert is_told() == [False, False, False]
    changes.change_quantity(order=nora, quantity=1, now=world.now)
    assert is_told() == [False, False, False]
    world.later(minutes=1)
    changes.change_quantity(order=other, quantity=3, now=world.now)
    assert is_told() == [False, True, False]


def test_an_order_of_a_special_that_goes_ahead_anyway_did_not_make_it_happen(world, guest):
    offer = world.offer(min_preorders=2, goes_ahead=True)
    order = world.authorized_order(offer, 2)
    page = guest.get(f"/pre-order-confirmation?preorder={order.pk}").text
    assert re.search(r"<h1 data-outcome[^>]*><span[^>]*>You&#x27;re in for Special", page)
    assert page.index('id="way"') < page.index("Know someone who'd love this?</h2>")


def test_a_preview_says_the_gap(world, offer, sharer, guest):
    page = guest.get(f"/specials/{offer.pk}?fresh=1").text
    assert '<meta property="og:description" content="2 more and it&#x27;s on. Save ' in page
    assert "PM EDT. You pay only if it&#x27;s on." in page
    own_words = (
        "$24.00 instead of $30.00. 2 more and it&#x27;s on, and you pay only then. Order by "
    )
    assert own_words in page
    world.later(minutes=1)
    world.authorized_order(offer, 2)
    page = guest.get(f"/specials/{offer.pk}?fresh=2").text
    [pitch] = re.findall('<meta property="og:description" content="([^"]+)"', page)
    # Whoever gets the link hasn't given a card.
    assert pitch.startswith("It&#x27;s on. ")
    assert pitch.endswith("; cancel free until then.")
    assert "charge" not in pitch


def test_the_restaurant_sees_who_referred_whom(world, offer, sharer, api: Any):
    from apps.restaurants.models import Membership
    from tests.factories import UserFactory

    owner = UserFactory()
    Membership.objects.create(user=owner, restaurant=world.restaurant, role="owner")
    friend = order_through(world, offer, sharer.share_code)
    reported = api(owner).get(f"/api/orders/{friend.pk}").json()
    assert reported["referredBy"]["customerName"] == sharer.customer_name
    reported = api(owner).get(f"/api/orders/{sharer.pk}").json()
    assert reported["referredBy"] is None
    assert [each["customerName"] for each in reported["referrals"]] == ["Frida"]
    overview = api(owner).get(f"/api/specials/{offer.pk}/overview").json()
    assert overview["shared"] == {"visits": 0, "orders": 1, "portions": 1}
    assert overview["waitlist"] == []
