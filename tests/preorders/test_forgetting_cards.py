"""Erasing a guest deletes their customers and saved cards at Stripe (decision 27)."""

import pytest
import stripe as stripe_api

from apps.preorders import tasks
from apps.preorders.guest import changes, replacement
from apps.preorders.guest.erasure import erase_guest
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationKind

DELETE = "DELETE /v1/customers/{id}"


@pytest.fixture
def over(world):
    """A charged order whose day is over."""
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    world.later(days=4)
    return world.fresh(order)


def customers(world):
    page = stripe_api.Customer.list(limit=100)
    return [each.id for each in page.data if not getattr(each, "deleted", False)]


def test_the_customer_and_its_card_are_gone_and_a_refund_still_works(world, over):
    assert over.payment_customer_id in customers(world)
    erase_guest(order=over, now=world.now)
    assert over.payment_customer_id in customers(world)  # outside the transaction
    world.work()
    assert customers(world) == []
    order = world.fresh(over)
    assert (order.payment_customer_id, order.payment_method_id) == ("", "")
    world.refund(order)
    world.work()
    assert world.fresh(order).payment_status == "refunded"


def test_erasing_twice_deletes_once(world, over):
    erase_guest(order=over, now=world.now)
    erase_guest(order=world.fresh(over), now=world.now)
    world.work()
    assert PaymentOperation.objects.filter(kind=OperationKind.FORGET).count() == 1
    assert world.calls(DELETE) == 1


@pytest.mark.parametrize("kind", ["lost_response", "500"])
def test_a_lost_answer_is_asked_for_again(world, over, kind):
    world.stripe.control(
        http_fault={"kind": kind, "method": "DELETE", "path_prefix": "/v1/customers/"}
    )
    erase_guest(order=over, now=world.now)
    world.work()
    assert world.operation(over, OperationKind.FORGET).state == "pending"
    world.later(minutes=1)
    tasks.run_due_operations_task.delay()
    world.work()
    assert world.operation(over, OperationKind.FORGET).state == "done"
    assert customers(world) == []


def test_all_customers_of_a_renewed_order_are_deleted(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, 2, "4000000000006009")  # without room for three portions
    changes.change_quantity(order=order, quantity=3, now=world.now)
    replacement.release_first(order=world.fresh(order), now=world.now)
    replacement.page_for_new_hold(world.fresh(order), now=world.now)
    world.pay(world.fresh(order))
    world.hear(order)
    assert len(customers(world)) == 2
    world.settle(offer)
    world.later(days=4)
    assert customers(world)
    erase_guest(order=world.fresh(order), now=world.now)
    world.work()
    assert customers(world) == []


def test_it_waits_for_a_refund_under_way(world, over):
    world.refund(over)
    PaymentOperation.objects.create(
        restaurant_id=over.restaurant_id,
        pre_order=over,
        kind=OperationKind.FORGET,
        due_at=world.now,
        created_at=world.now,
    )
    operation = world.operation(over, OperationKind.FORGET)
    tasks.run_operations_task([operation.pk])
    assert world.calls(DELETE) == 0
    world.work()
    world.later(minutes=16)
    tasks.run_due_operations_task.delay()
    world.work()
    assert world.calls(DELETE) == 1
