"""Friends who order with a wallet: the cart's API takes the portions reserved for them."""

import pytest

from apps.preorders.core.friends import friends_token, portions_left
from apps.preorders.models import PreOrder
from tests.preorders.friends.steps import counts, joined_emails, reserve
from tests.preorders.world import GOOD

PATH = "/api/create-multi-offer-payment-intent"
BEA = {"name": "Bea Ruiz", "email": "bea@example.test"}


@pytest.fixture
def full(world, offer, ana):
    """Ana's special, sold out but for the two portions that she reserved for friends."""
    reserve(world, ana, 2)
    world.authorized_order(offer, 3)
    assert counts(world, offer) == (4, 6)
    return offer


def order(guest, offer, quantity=1, who=BEA, **more):
    item = {"dishId": str(offer.pk), "quantity": quantity, **more}
    return guest.post(PATH, {"items": [item], "guest": who})


def token_of(starter):
    return friends_token(PreOrder.objects.get(pk=starter.pk))


def test_a_friend_gets_a_reserved_portion_of_a_special_that_is_sold_out(world, guest, full, ana):
    assert order(guest, full).status_code == 409
    begun = order(guest, full, friendsLink=token_of(ana), showFirstName=True)
    assert begun.status_code == 201, begun.content
    assert counts(world, full) == (4, 6)  # taken from those that were reserved
    (item,) = begun.json()["items"]
    assert item["served"] == "Wed, Mar 24 · Dine in or pickup · Invited by Ana"

    world.stripe.confirm(begun.json()["clientSecret"], GOOD)
    guest.post(f"/api/checkouts/{begun.json()['checkoutId']}/confirm", {})
    world.work()
    bea = PreOrder.objects.get(customer_email="bea@example.test")
    assert (bea.friend_of_id, bea.shows_first_name, bea.payment_status) == (
        ana.pk,
        True,
        "authorized",
    )
    assert bea.referred_by_id == ana.pk
    assert portions_left(world.fresh(ana), now=world.now) == 1
    assert joined_emails(ana) == 1
    assert counts(world, full) == (5, 6)


def test_a_friends_portion_and_the_same_without_the_link_are_different_carts(
    world, guest, offer, ana
):
    reserve(world, ana, 2)
    with_link = order(guest, offer, friendsLink=token_of(ana)).json()
    assert (
        order(guest, offer, friendsLink=token_of(ana)).json()["checkoutId"]
        == (with_link["checkoutId"])
    )
    assert order(guest, offer).json()["checkoutId"] != with_link["checkoutId"]


@pytest.mark.parametrize("link", ["nobody", "share-code:signature", "x" * 300])
def test_a_link_that_is_not_the_specials_is_refused_and_reserves_nothing(
    world, guest, full, ana, link
):
    refused = order(guest, full, friendsLink=link)
    assert refused.status_code == 400
    (error,) = refused.json()["errors"]
    assert error["field"] == "items.0.friendsLink"
    assert "This link from a friend isn't valid" in error["message"]
    other = world.offer(name="Ribollita")
    assert order(guest, other, friendsLink=token_of(ana)).status_code == 400
    assert not PreOrder.objects.filter(customer_email="bea@example.test").exists()


def test_a_friends_page_is_allowed_to_show_wallets(guest, world, ana):
    reserve(world, ana, 1)
    offer = world.fresh(ana).offer
    page = guest.get(f"/specials/{offer.pk}/friends/{token_of(ana)}")
    assert page.status_code == 200
    assert "payment=(self" in page.headers["Permissions-Policy"]
