"""Data for the benchmarks, created through the regular services."""

import itertools
import json
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from apps.billing import stripe_gateway as gateway
from apps.billing.models import ConnectAccount
from apps.common import clock, rls
from apps.offers.models import Photo, SpecialOffer
from apps.offers.services import upload_photo
from apps.restaurants.hosts import restaurant_host
from apps.restaurants.models import Restaurant
from benchmarks.load import Request
from benchmarks.program import Program
from tests.factories import RestaurantFactory, SpecialOfferFactory

SHOWN = 6  # specials on the restaurant's list
DAY = timedelta(days=1)
IMAGES = Path(__file__).parents[1] / "demo" / "images"
DISHES = ("osso_buco", "margherita", "tagliatelle", "tiramisu", "caprese", "gyoza")
GOOD_CARD = "4242424242424242"
PAYING_AT_ONCE = 4
_addresses = itertools.count(1)


@dataclass(frozen=True)
class Scene:
    """A running application with one restaurant that accepts payments and has a few specials."""

    program: Program
    restaurant: Restaurant
    specials: list[SpecialOffer]

    @property
    def port(self) -> int:
        return self.program.port

    @property
    def host(self) -> str:
        return restaurant_host(self.restaurant)

    def page(self, path: str) -> Request:
        return Request(path, self.host)

    def offer(self, **facts: Any) -> SpecialOffer:
        return SpecialOfferFactory(restaurant=self.restaurant, **facts)


def set_up(program: Program) -> Scene:
    restaurant = RestaurantFactory(name="Trattoria Misura", subdomain="misura")
    account = gateway.create_account(
        email=restaurant.email,
        name=restaurant.name,
        country=restaurant.country,
        key=f"account:{restaurant.pk}",
    )
    program.stripe.control(onboard=account.account_id)
    with rls.acting_as(rls.PLATFORM):
        # Without the sales limit of a new restaurant (decision 47).
        ConnectAccount.objects.filter(restaurant=restaurant).update(
            account_id=account.account_id, limit_lifted_at=clock.now()
        )
        specials = [
            SpecialOfferFactory(
                restaurant=restaurant,
                name=dish.replace("_", " ").capitalize(),
                min_preorders=10,
                ordered_portions=4 + number,
                reserved_portions=4 + number,
                photo=_photo(restaurant, dish),
                deadline=clock.now() + (number + 1) * DAY,
                created_at=clock.now() - DAY,
            )
            for number, dish in enumerate(DISHES[:SHOWN])
        ]
    return Scene(program, restaurant, specials)


def _photo(restaurant: Restaurant, dish: str) -> Photo:
    data = (IMAGES / f"{dish}.webp").read_bytes()
    return upload_photo(restaurant=restaurant, data=data, field="file")


def pre_order_request(scene: Scene, offer: SpecialOffer, number: int) -> Request:
    """A pre-order of a new guest with an IP address of their own."""
    address = next(_addresses)
    body = {
        "dishId": str(offer.pk),
        "quantity": 1,
        "customerName": f"Diner {number}",
        "customerEmail": f"diner-{number}-of-{offer.pk}@example.test",
        "customerPhone": "+1 212 555 0199",
    }
    octets = ".".join(str(address >> shift & 255) for shift in (16, 8, 0))
    return Request(
        "/api/pre-orders",
        scene.host,
        body=json.dumps(body),
        headers={"X-Forwarded-For": f"10.{octets}"},
    )


def pay_all(scene: Scene, session_ids: list[str]) -> None:
    """Pay every checkout session with a valid card, as fast as local Stripe accepts them."""
    shares = [session_ids[start::PAYING_AT_ONCE] for start in range(PAYING_AT_ONCE)]
    with ThreadPoolExecutor(PAYING_AT_ONCE) as pool:
        list(pool.map(lambda share: _pay(scene.program.stripe.port, share), shares))


def _pay(port: int, session_ids: list[str]) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    for session_id in session_ids:
        order = json.dumps({"pay": {"session": session_id, "number": GOOD_CARD}})
        connection.request("POST", "/_control", order, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{session_id} could not be paid: {said.decode()}")
    connection.close()


def wait_until(true: Callable[[], bool], within: float, *, every: float = 0.05) -> float:
    """Wait until `true()` and return the seconds. Raises TimeoutError after `within`."""
    begun = time.perf_counter()
    while not true():
        if time.perf_counter() - begun > within:
            raise TimeoutError("The condition was not met in time.")
        time.sleep(every)
    return time.perf_counter() - begun


def fetch(url: str, host: str, **headers: str) -> tuple[bytes, Any]:
    """The raw body (not decompressed) and the headers."""
    request = urllib.request.Request(url, headers={"Host": host, **headers})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read(), answer.headers


def seconds_past(moment: datetime) -> float:
    return (clock.now() - moment).total_seconds()


def cents(amount: Decimal) -> int:
    return int(amount * 100)
