"""Checkout sessions, as far as they can be seen without a browser."""

import time
from typing import Any

import pytest
import stripe

from tests.conformance.payments import AMOUNT

MINUTE = 60


def session(api: Any, **params: Any) -> Any:
    given = {
        "mode": "payment",
        "line_items": [
            {
                "quantity": 1,
                "price_data": {
                    "currency": "usd",
                    "unit_amount": AMOUNT,
                    "product_data": {"name": "Lasagne"},
                },
            }
        ],
        "payment_intent_data": {"capture_method": "manual"},
        "success_url": "https://example.com/thanks",
        **params,
    }
    return api.v1.checkout.sessions.create(given)


def test_a_session_has_no_intent_before_it_is_submitted(api):
    created = session(api)
    assert (created.status, created.payment_intent) == ("open", None)


def test_a_session_can_be_expired_once(api):
    created = session(api)
    assert api.v1.checkout.sessions.expire(created.id).status == "expired"
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.checkout.sessions.expire(created.id)


@pytest.mark.parametrize("after", [25 * MINUTE, 24 * 60 * MINUTE + 10 * MINUTE])
def test_a_session_lives_half_an_hour_to_a_day(api, after):
    with pytest.raises(stripe.InvalidRequestError) as refused:
        session(api, expires_at=int(time.time()) + after)
    assert refused.value.param == "expires_at"


def test_adaptive_pricing_can_be_turned_off_for_a_session(api):
    created = session(api, adaptive_pricing={"enabled": False})
    assert created.adaptive_pricing.enabled is False


def test_a_session_keeps_what_its_button_says(api):
    assert session(api, submit_type="book").submit_type == "book"


def test_a_session_keeps_the_look_it_was_given(api):
    look = {"display_name": "Luigi's", "background_color": "#fbf8f3", "button_color": "#b4380a"}
    shown = session(api, branding_settings={**look, "border_style": "rounded"}).branding_settings
    assert {name: getattr(shown, name) for name in look} == look
    assert shown.border_style == "rounded"


def test_a_session_speaks_the_language_it_was_given(api):
    assert session(api, locale="es").locale == "es"


def test_a_total_below_the_minimum_is_refused(api):
    with pytest.raises(stripe.InvalidRequestError) as refused:
        session(
            api,
            line_items=[
                {
                    "quantity": 1,
                    "price_data": {
                        "currency": "usd",
                        "unit_amount": 49,
                        "product_data": {"name": "Olive"},
                    },
                }
            ],
        )
    assert refused.value.code == "amount_too_small"


def test_a_sessions_lines_add_up_to_its_amount(api):
    product = {"name": "Lasagne", "images": ["https://example.com/lasagne.jpg"]}
    lines = [(2, 2400, product), (1, 384, {"name": "Tax (8%)"})]
    created = session(
        api,
        line_items=[
            {
                "quantity": quantity,
                "price_data": {"currency": "usd", "unit_amount": unit, "product_data": product},
            }
            for quantity, unit, product in lines
        ],
    )
    assert created.amount_total == 5184
    listed = api.v1.checkout.sessions.line_items.list(created.id).data
    found = {(line.description, line.quantity, line.amount_total) for line in listed}
    assert found == {("Lasagne", 2, 4800), ("Tax (8%)", 1, 384)}


def test_a_product_has_eight_images_at_most(api):
    images = [f"https://example.com/{number}.jpg" for number in range(9)]
    price = {"currency": "usd", "unit_amount": 2400}
    price["product_data"] = {"name": "Lasagne", "images": images}
    with pytest.raises(stripe.InvalidRequestError):
        session(api, line_items=[{"quantity": 1, "price_data": price}])
