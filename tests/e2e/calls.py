"""Actions of owners and guests, made with the calls behind our pages, for tests about what comes
afterward. Another test does each of them by hand, on its page.
"""

from datetime import datetime, time, timedelta
from typing import Any

import httpx

from tests.e2e.stack import Stack
from tests.e2e.steps import GOOD, LUIGIS_ZONE, OWNER
from tests.e2e.waiting import eventually

DEADLINE = timedelta(hours=2)  # from now
SERVED = timedelta(days=1)  # after the deadline
HALF_AN_HOUR = timedelta(minutes=30)


def publish(
    stack: Stack,
    name: str,
    *,
    price: str = "18",
    minimum: int = 1,
    deadline: timedelta = DEADLINE,
    by: tuple[str, str] = OWNER,
    **more: Any,
) -> str:
    """Publish a special as an owner of the demo; returns its id. Its deadline passes when a test
    moves it."""
    owner, now = stack.session(*by), datetime.now(LUIGIS_ZONE)
    special = {
        "name": name,
        "price": "24",
        "specialOfferPrice": price,
        "minPreordersRequired": minimum,
        "preorderExpiresAt": (now + deadline).isoformat(),
        "specialServeDate": (now + deadline + SERVED).date().isoformat(),
    }
    answer = owner.post("/api/dishes/special-offers", json=special | more)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def set_times(stack: Stack, special: str, *limits: int) -> None:
    """Give the special half-hour pickup times from 5 PM on, with these limits in portions."""
    [(day,)] = stack.query("SELECT serve_date FROM offers_specialoffer WHERE id = %s", special)
    five = datetime.combine(day, time(17))
    slots = [
        {
            "startsAt": (five + number * HALF_AN_HOUR).isoformat(),
            "endsAt": (five + (number + 1) * HALF_AN_HOUR).isoformat(),
            "capacity": limit,
        }
        for number, limit in enumerate(limits)
    ]
    path = f"/api/specials/{special}/slots"
    answer = stack.session(*OWNER).put(path, json={"slots": slots})
    assert answer.is_success, answer.text


def cheapest_dish(stack: Stack) -> str:
    """The id of a dish of Luigi's that can be an alternative to any special."""
    [(dish,)] = stack.query(
        "SELECT dish.id FROM offers_dish dish"
        " JOIN restaurants_restaurant restaurant ON restaurant.id = dish.restaurant_id"
        " WHERE restaurant.subdomain = 'luigis' AND dish.deleted_at IS NULL"
        " ORDER BY dish.price LIMIT 1"
    )
    return str(dish)


def link_to(stack: Stack, special: str) -> str:
    """A special's public address."""
    return stack.url(f"/specials/{special}", restaurant="luigis")


def start_order(stack: Stack, special: str, email: str, *, portions: int = 1) -> str:
    """Order as a guest who hasn't entered a card yet; returns the order's id."""
    wanted = {
        "dishId": special,
        "quantity": portions,
        "customerName": "Dana Guest",
        "customerEmail": email,
        "customerPhone": "212 555 0199",
    }
    answer = httpx.post(stack.url("/api/pre-orders"), json=wanted, timeout=60)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["preorderId"])


def place_order(stack: Stack, special: str, email: str, *, portions: int = 1) -> str:
    """Order as a guest whose card is held, which the program knows; returns the order's id."""
    order = start_order(stack, special, email, portions=portions)
    [(checkout,)] = stack.query(
        "SELECT checkout_session_id FROM preorders_preorder WHERE id = %s", order
    )
    stack.stripe.pay(checkout, number=GOOD)
    eventually(
        lambda: stack.query("SELECT payment_status FROM preorders_preorder WHERE id = %s", order),
        [("authorized",)],
    )
    return order


def cancel(stack: Stack, order: str) -> None:
    """Cancel the order as the restaurant, because the guest asked for it."""
    answer = stack.session(*OWNER).post(
        f"/api/orders/{order}/cancel", json={"reason": "asked by the guest"}
    )
    assert answer.is_success, answer.text
