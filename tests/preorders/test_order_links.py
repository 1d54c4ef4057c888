"""The signed link to an order's own page: only ours, only on its restaurant's host, and not
forever."""

from datetime import timedelta

import pytest

from apps.preorders.core.access import guest_url
from apps.preorders.core.links import OrderLink, order_for_token, order_path, order_token, order_url
from apps.preorders.emails.actions import order_email_action
from apps.preorders.models import PreOrder


@pytest.fixture
def order(world):
    made = world.authorized_order(world.offer(min_preorders=1))
    return PreOrder.objects.select_related("offer__restaurant").get(pk=made.pk)


def test_a_link_leads_to_its_order(order):
    token = order_token(order)
    assert order_for_token(token) == OrderLink(order.pk, 0)
    assert order_url(order) == f"http://luigis.localhost:8000/order/{token}"
    assert order_path(order, then="/calendar.ics") == f"/order/{token}/calendar.ics"


def test_an_emails_button_leads_to_the_orders_page(order):
    email = order.emails.get(kind="received")
    assert order_email_action(email).url == guest_url(email.pre_order)


@pytest.mark.parametrize("change", ["", "x", "{id}", "{token}x", "{other}.{key}", "{id}.", "%00"])
def test_what_we_did_not_sign_leads_nowhere(world, api, order, change):
    token = order_token(order)
    other = world.authorized_order(order.offer)
    made_up = change.format(
        id=order.pk.hex, token=token, other=other.pk.hex, key=token.split(".")[1]
    )
    assert order_for_token(made_up) is None
    assert api(at=world.restaurant).get(f"/order/{made_up}").status_code == 404


def test_a_link_ends_half_a_year_after_the_serve_day(world, api, order):
    guest = api(at=world.restaurant)
    last_day = order.offer.serve_date + timedelta(days=180)
    world.clock.set(world.now.replace(year=last_day.year, month=last_day.month, day=last_day.day))
    assert guest.get(order_path(order)).status_code == 200
    world.clock.advance(days=1)
    assert guest.get(order_path(order)).status_code == 404


def test_another_restaurants_host_knows_nothing_of_it(world, api, order):
    elsewhere = api(at=world.open_restaurant(name="Ming's", subdomain="mings"))
    assert elsewhere.get(order_path(order)).status_code == 404


class TestKeys:
    """Rotation of what signs the links (decision 62)."""

    def test_a_link_lives_through_a_routine_rotation(self, world, api, order, settings):
        settings.SIGNING_KEYS = ["the-old-key" * 5]
        path = order_path(order)
        settings.SIGNING_KEYS = ["the-new-key" * 5, "the-old-key" * 5]
        assert api(at=world.restaurant).get(path).status_code == 200

    def test_a_link_dies_with_a_leaked_key(self, world, api, order, settings):
        settings.SIGNING_KEYS = ["the-leaked-key" * 5]
        path = order_path(order)
        settings.SIGNING_KEYS = ["the-new-key" * 5]
        guest = api(at=world.restaurant)
        assert guest.get(path).status_code == 404
        assert guest.get(order_path(order)).status_code == 200

    def test_a_new_secret_key_ends_no_link(self, world, api, order, settings):
        path = order_path(order)
        settings.SECRET_KEY = "another-secret" * 5
        assert api(at=world.restaurant).get(path).status_code == 200
