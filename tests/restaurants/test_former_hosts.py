"""Requests to an address that the restaurant gave up."""

import pytest

from apps.restaurants.models import Restaurant
from apps.restaurants.services import addresses
from tests.caching import forget_everything
from tests.factories import DomainFactory

pytestmark = pytest.mark.django_db
OLD = "luigis.localhost"


@pytest.fixture
def moved(cast, clock, run_tasks):
    def move(subdomain="luigi"):
        addresses.claim_subdomain(restaurant=cast.restaurant, subdomain=subdomain, now=clock.now)
        run_tasks()

    move()
    return move


def goes_to(api, path="/specials", host=OLD):
    answer = api(host=host).get(path)
    return answer.headers["Location"] if answer.status_code == 307 else answer.status_code


def test_a_former_host_redirects_with_path_and_query(api, moved, settings):
    settings.PUBLIC_PORT = 8000
    path = "/specials/7/x?a=1&b=%C3%A4&c=/%2F"
    assert goes_to(api, path) == f"http://luigi.localhost:8000{path}"
    assert api(host="luigi.localhost").get("/specials").status_code == 200


def test_the_redirect_is_not_cached_by_browsers(api, moved):
    answer = api(host=OLD).get("/specials")
    assert answer.status_code == 307
    assert "Cache-Control" not in answer.headers


def test_a_post_request_keeps_its_method(api, moved):
    assert api(host=OLD).post("/api/pre-orders").status_code == 307


def test_the_cached_answers_of_both_hosts_are_dropped(api, cast, clock, run_tasks):
    assert api(host=OLD).get("/specials").status_code == 200
    assert api(host="luigi.localhost").get("/specials").status_code == 404
    addresses.claim_subdomain(restaurant=cast.restaurant, subdomain="luigi", now=clock.now)
    run_tasks()
    assert api(host=OLD).get("/specials").status_code == 307
    assert api(host="luigi.localhost").get("/specials").status_code == 200


def test_both_former_hosts_redirect_after_two_changes(api, moved):
    assert "luigi.localhost" in goes_to(api)
    moved("gigi")
    assert "gigi.localhost" in goes_to(api)
    assert "gigi.localhost" in goes_to(api, host="luigi.localhost")
    moved("luigis")
    assert goes_to(api) == 200
    assert "luigis.localhost" in goes_to(api, host="luigi.localhost")


def test_a_former_host_is_not_found_after_thirty_days(api, moved, clock):
    clock.advance(days=29, hours=23)
    assert "luigi.localhost" in goes_to(api)
    clock.advance(hours=2)
    forget_everything()  # a redirect is remembered for half a minute of real time
    assert goes_to(api) == 404


def test_a_former_host_redirects_to_a_custom_domain(api, cast, moved):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(domain="luigis.example")
    DomainFactory(tenant=cast.restaurant, domain="luigis.example")
    assert goes_to(api).startswith("http://luigis.example")


def test_a_suspended_restaurants_former_address_leads_to_its_orders(api, cast, moved):
    """Guests' links in earlier emails have the former address."""
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(status="suspended")
    assert goes_to(api, "/order/x").startswith("http://luigi.localhost")


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["127.0.0.1", "testserver"])
def test_names_of_a_developers_machine_are_nobodys_in_production(api, settings, host):
    assert api(host=host).get("/login").status_code == 200
    settings.LOOPBACK_HOSTS = frozenset()
    assert api(host=host).get("/login").status_code == 404
    assert api(host=settings.ROOT_DOMAIN).get("/login").status_code == 200
