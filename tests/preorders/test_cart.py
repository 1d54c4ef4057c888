"""The cart (A39, R140–R141, X23–X25): one card for several specials, each settled by itself."""

import pytest

PATH = "/api/create-multi-offer-payment-intent"
DANA = {"name": "Dana Diner", "email": "dana@example.test", "phone": "+1 212 555 0199"}


def item(offer, quantity=1, **more):
    return {
        "dishId": str(offer.pk),
        "name": offer.name,
        "price": str(offer.special_price),
        "quantity": quantity,
        **more,
    }


def body(*items, customer=DANA, **more):
    wanted = {"items": list(items), "customer": customer, **more}
    return {name: value for name, value in wanted.items() if value is not None}


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


def confirm_in_browser(world, secret, card="4242424242424242", **more):
    order = {"intent": secret.split("_secret_")[0], "number": card, **more}
    return world.stripe.control(pay=order)["pay"]


def test_one_line(world, guest):
    offer = world.offer()
    answer = guest.post(PATH, body(item(offer, 2), total=5184))
    assert answer.status_code == 201, answer.content
    begun = answer.json()
    print(begun)
    print(confirm_in_browser(world, begun["clientSecret"]))
    told = guest.post(f"/api/checkouts/{begun['checkoutId']}/confirm", {})
    print(told.json())
    assert told.json()["status"] == "held"


def test_three_lines(world, guest):
    offers = [world.offer() for _ in range(3)]
    begun = guest.post(PATH, body(*[item(each) for each in offers])).json()
    print(begun)
    print(confirm_in_browser(world, begun["clientSecret"]))
    told = guest.post(f"/api/checkouts/{begun['checkoutId']}/confirm", {})
    print(told.json())
    assert told.json()["status"] == "held"
    assert guest.delete(f"/api/checkouts/{begun['checkoutId']}").status_code == 409
