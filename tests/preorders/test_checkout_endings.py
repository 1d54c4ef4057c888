"""Checkouts that end without a card: never while their guest can still enter one."""

import pytest

from apps.billing import gateway, stripe_gateway
from apps.common.errors import Unavailable
from apps.common.transitions import Cause
from apps.preorders.checkout import payment_page
from apps.preorders.checkout.endings import give_up
from apps.preorders.models import PreOrder
from apps.preorders.models.states import ReasonCode

NEVER_OPENED = Cause(ReasonCode.CHECKOUT_NOT_OPENED)


@pytest.mark.parametrize("how_many", [None, 1, 2])
def test_a_checkout_with_a_page_or_an_intent_is_not_given_up_as_unopened(world, how_many):
    if how_many is None:
        order = world.begin(world.offer())
    else:
        names = ("Arancini", "Bucatini")[:how_many]
        order = world.begin_cart(*(world.offer(name=name) for name in names)).items[0]
    assert not give_up(order.pk, now=world.now, cause=NEVER_OPENED, unopened=True)
    assert world.fresh(order).status == "pending"


def test_a_checkout_that_never_opened_is_given_up_and_its_portions_are_free(world):
    order = world.begin(world.offer())
    PreOrder.objects.filter(pk=order.pk).update(checkout_session_id="")
    assert give_up(order.pk, now=world.now, cause=NEVER_OPENED, unopened=True)
    assert world.fresh(order).status == "cancelled"
    assert world.fresh(order.offer).reserved_portions == 0


def test_an_order_past_checkout_is_not_given_up(world):
    order = world.authorized_order(world.offer())
    assert not give_up(order.pk, now=world.now, cause=NEVER_OPENED)
    assert world.fresh(order).payment_status == "authorized"


def test_a_failed_call_leaves_the_order_whose_page_another_request_has_opened(world, monkeypatch):
    offer = world.offer()

    def opened_by_another(request, *, key):
        PreOrder.objects.update(checkout_session_id="cs_of_another_request")
        raise gateway.ServerError

    monkeypatch.setattr(stripe_gateway, "create_checkout", opened_by_another)
    with pytest.raises(Unavailable):
        world.begin(offer)
    assert PreOrder.objects.get().status == "pending"


def test_a_lost_answer_is_asked_for_once_more(monkeypatch):
    calls = []

    def ask():
        calls.append("asked")
        raise gateway.Unreachable

    with pytest.raises(gateway.Unreachable):
        payment_page.payment_page_again(ask)
    assert calls == ["asked", "asked"]
