"""Where the public pages have the cart, and where a bank's page leads back to."""

from datetime import UTC
from typing import Any
from uuid import uuid4

import pytest

from apps.offers.models import SpecialOffer
from apps.restaurants.models import Restaurant
from tests.conftest import Cast
from tests.pages import markup_of, props_of, text_of

pytestmark = pytest.mark.usefixtures("clock")


@pytest.mark.parametrize("path", ["/specials", "/patron", "/specials/{offer}"])
def test_the_carts_buttons_are_there_but_hidden_until_the_script_runs(
    guest: Any, cast: Cast, special: SpecialOffer, path: str
) -> None:
    page = markup_of(guest.get(path.format(offer=special.pk)))
    (button,) = [each for each in page.split("<button ") if f'cart="{special.pk}"' in each]
    tag = button.partition(">")[0]
    cents = int(special.special_price * 100)
    closes = f"{special.deadline.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    assert (
        f'data-name="Osso buco" data-cents="{cents}" data-closes="{closes}" data-most="20"' in tag
    )
    assert tag.endswith(" hidden")
    assert f'data-cart="{cast.restaurant.pk}"' in page


def test_a_list_in_another_sites_frame_has_no_cart(
    guest: Any, cast: Cast, special: SpecialOffer, platform: None
) -> None:
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(subscription_tier="branded")
    answer = guest.get("/embed")
    assert special.name in answer.content.decode()
    assert f'data-cart="{cast.restaurant.pk}"' not in answer.content.decode()
    assert "js.stripe.com" not in answer.headers["Content-Security-Policy"]


def test_a_special_that_takes_no_orders_has_no_button(
    guest: Any, special: SpecialOffer, platform: None
) -> None:
    SpecialOffer.objects.filter(pk=special.pk).update(max_preorders=12, reserved_portions=12)
    page = guest.get(f"/specials/{special.pk}")
    assert "Last 4 portions reserved" in text_of(page)
    assert "data-add-to-cart" not in page.content.decode()


def test_the_page_a_bank_leads_back_to_asks_about_the_checkout_it_names(
    guest: Any, cast: Cast
) -> None:
    checkout = uuid4()
    answer = guest.get(f"/cart/return?checkout={checkout}&setup_intent=seti_1")
    assert answer.status_code == 200
    assert props_of(answer) == {
        "restaurant": str(cast.restaurant.pk),
        "checkoutId": str(checkout),
        "publishableKey": "pk_test_localstripelocalstripelocal",
        "cardScriptUrl": "",
    }
    assert "https://js.stripe.com" in answer.headers["Content-Security-Policy"]
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("query", ["", "?checkout=", "?checkout=1", "?checkout=%00"])
def test_a_return_that_names_no_checkout_says_so(guest: Any, query: str) -> None:
    answer = guest.get(f"/cart/return{query}")
    assert answer.status_code == 404
    assert "This order link isn&#x27;t valid" in answer.content.decode()


def test_the_return_page_names_the_restaurant_on_the_platforms_host(api: Any, cast: Cast) -> None:
    answer = api().get(f"/cart/return?checkout={uuid4()}&rid={cast.restaurant.pk}")
    assert props_of(answer)["restaurant"] == str(cast.restaurant.pk)
    assert api().get(f"/cart/return?checkout={uuid4()}").status_code == 404
