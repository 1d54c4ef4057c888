"""How many statements each page sends at most, however many rows it shows."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.offers.models import SpecialOffer
from apps.preorders.core.links import order_token
from apps.preorders.models import PreOrder
from apps.restaurants.models import Restaurant
from tests.factories import SpecialOfferFactory, save_crowd

ROWS = (10, 200)

# A query string keeps a public page out of the cache; the host is cached after the first request.
GUESTS_PAGES = {
    "/specials?afresh=1": 1,
    "/specials/{offer}?afresh=1": 1,
    "/pre-order-confirmation?preorder={order}": 7,
    "/order/{token}": 8,
    "/api/specials/available": 1,
}
OWNERS_PAGES = {
    "/restaurant": 19,
    "/free-tier-dashboard": 9,
    "/restaurant/stripe-management": 6,
    "/api/connect-status": 3,
    "/api/orders": 5,
    "/api/orders?offer={offer}": 5,
    "/api/orders?q=dana+555": 5,
    "/api/orders/{order}": 11,
    "/api/orders/changes": 4,
    "/restaurant/offers/{offer}": 16,
    "/api/specials/{offer}/overview": 11,
    "/api/ledger": 4,
    "/restaurant/menu": 5,
    "/restaurant/calendar": 5,
    "/specials/history": 6,
    "/restaurant/analytics": 4,
    "/api/dishes/manage": 3,
    "/api/specials/history": 4,
    "/restaurant/settings": 5,
    "/dashboard/marketing": 5,
    "/restaurant/tiers": 4,
    "/api/restaurant/profile": 4,
    "/api/restaurant/completion": 4,
}


@dataclass
class Full:
    """A restaurant with that many specials, and as many orders of the first one."""

    restaurant: Restaurant
    offers: list[SpecialOffer]
    orders: list[PreOrder]

    def fill_in(self, path: str) -> str:
        order = self.orders[0]
        return path.format(offer=self.offers[0].pk, order=order.pk, token=order_token(order))


@pytest.fixture
def full(request: pytest.FixtureRequest, cast: Any, platform: None) -> Full:
    restaurant = cast.restaurant
    offers = SpecialOffer.objects.bulk_create(
        SpecialOfferFactory.build_batch(request.param, restaurant=restaurant)
    )
    orders = save_crowd(request.param, offer=offers[0], restaurant=restaurant)
    return Full(restaurant, offers, orders)


# One test asks for all pages, because making its rows takes longer than the requests.
@pytest.mark.parametrize("full", ROWS, indirect=True, ids=lambda rows: f"{rows} rows")
def test_no_page_sends_more_than_its_budget(full: Full, cast: Any, api: Any) -> None:
    guest, owner = api(at=full.restaurant), api(cast.owner)
    found = {path: statements(guest, full.fill_in(path)) for path in GUESTS_PAGES}
    found |= {path: statements(owner, full.fill_in(path)) for path in OWNERS_PAGES}
    assert found == GUESTS_PAGES | OWNERS_PAGES


def statements(client: Any, path: str) -> int:
    """How many statements a page sends that was requested before."""
    assert client.get(path).status_code == 200
    with CaptureQueriesContext(connection) as sent:
        assert client.get(path).status_code == 200
    return len(sent)
