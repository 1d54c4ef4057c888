"""Addresses that show the same screen, and where a page's way back leads."""

from typing import Any

from tests.conftest import Cast
from tests.pages.conftest import props_of


def test_the_dashboard_has_two_addresses(api: Any, cast: Cast) -> None:
    client = api(cast.owner)
    first, second = (
        props_of(client.get(path)) for path in ("/restaurant", "/restaurant/dashboard")
    )
    assert first["restaurant"]["name"] == "Luigi's"
    assert second["restaurant"] == first["restaurant"]


def test_the_payment_account_leads_back_to_the_settings(api: Any, cast: Cast) -> None:
    props = props_of(api(cast.owner).get("/restaurant/stripe-management"))
    assert props["settingsUrl"] == "/restaurant/settings"
