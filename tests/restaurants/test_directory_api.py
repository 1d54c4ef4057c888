"""GET /api/restaurants/by-subdomain/{subdomain} and /api/restaurants/{id}."""

import pytest

from apps.restaurants.models import Restaurant
from apps.restaurants.services import addresses

pytestmark = pytest.mark.django_db
NOT_FOUND = "This restaurant could not be found or is not available."


def test_a_restaurant_is_found_by_id_and_by_subdomain(api, cast):
    expected = {"id": str(cast.restaurant.pk), "name": "Luigi's"}
    for host in (None, "luigis.localhost", "mings.localhost"):
        client = api(host=host)
        assert client.get(f"/api/restaurants/{cast.restaurant.pk}").json() == expected
        assert client.get("/api/restaurants/by-subdomain/luigis").json() == expected
        assert client.get("/api/restaurants/by-subdomain/LUIGIS").json() == expected


def test_a_former_subdomain_finds_it_for_thirty_days(api, cast, clock):
    addresses.claim_subdomain(restaurant=cast.restaurant, subdomain="bistro", now=clock.now)
    assert api().get("/api/restaurants/by-subdomain/luigis").json()["name"] == "Luigi's"
    clock.advance(days=30)
    assert api().get("/api/restaurants/by-subdomain/luigis").status_code == 404
    assert api().get("/api/restaurants/by-subdomain/bistro").status_code == 200


@pytest.mark.parametrize("subdomain", ["nobody", "www", "x" * 300, "%00", "a.b"])
def test_what_is_not_there_is_not_found(api, cast, subdomain):
    answer = api().get(f"/api/restaurants/by-subdomain/{subdomain}")
    assert (answer.status_code, answer.json()["message"]) == (404, NOT_FOUND)


def test_a_closed_restaurant_is_not_found(api, cast):
    Restaurant.objects.update(status="suspended")
    for path in (str(cast.restaurant.pk), "by-subdomain/luigis"):
        answer = api().get(f"/api/restaurants/{path}")
        assert (answer.status_code, answer.json()["message"]) == (404, NOT_FOUND)
