"""Cards with a limit: holds and charges use it up."""

from collections.abc import Callable
from typing import Any

import stripe
from local_stripe.testing import LocalStripe
from stripe_scenarios import session_params

Hold = Callable[..., str]
SIXTY = "4000000000006009"  # has 60.00; the scenario's session asks for 20.00


def outcome(server: LocalStripe, api: stripe.StripeClient, account: str) -> Any:
    params: Any = session_params(account)
    session = api.v1.checkout.sessions.create(params)
    return server.pay(session.id, number=SIXTY)["error"]


def test_a_hold_that_does_not_fit_beside_the_others_is_declined(
    server: LocalStripe, api: stripe.StripeClient, account: str, hold: Hold
) -> None:
    for _ in range(3):
        hold(SIXTY)
    assert outcome(server, api, account)["decline_code"] == "insufficient_funds"
    (intent, *_) = api.v1.payment_intents.list({"limit": 1}).data
    assert intent.last_payment_error is not None
    assert intent.last_payment_error.code == "card_declined"
    assert intent.last_payment_error.decline_code == "insufficient_funds"


def test_a_released_hold_and_a_refund_make_room_and_a_charge_does_not(
    server: LocalStripe, api: stripe.StripeClient, account: str, hold: Hold
) -> None:
    released, charged, _ = hold(SIXTY), hold(SIXTY), hold(SIXTY)
    api.v1.payment_intents.capture(charged)
    assert outcome(server, api, account) is not None
    api.v1.payment_intents.cancel(released)
    assert outcome(server, api, account) is None
    assert outcome(server, api, account) is not None
    api.v1.refunds.create({"payment_intent": charged})
    assert outcome(server, api, account) is None


def test_a_command_limits_any_card_and_another_card_is_not_affected(
    server: LocalStripe, hold: Hold, api: stripe.StripeClient, account: str
) -> None:
    server.control(card_limit={"number": SIXTY, "limit": 1000})
    assert outcome(server, api, account) is not None
    hold()  # 4242…
    server.control(card_limit={"number": SIXTY, "limit": None})
    assert outcome(server, api, account) is None
