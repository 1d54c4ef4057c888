"""Sequences of calls: each uses what the one before it answered (OpenAPI's links).

Schemathesis finds most links by the names in the description; `LINKS` adds those it can't see, with
bodies that are accepted. A sequence sees what the calls before it wrote, and the next one doesn't.
"""

from collections import defaultdict
from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from schemathesis.generation import GenerationMode

from apps.accounts.services import issue_token
from apps.restaurants.models import Restaurant
from tests.caching import forget_everything
from tests.contract.test_description import CHECKS, application
from tests.contract.test_every_operation import DESCRIPTION
from tests.factories import DishFactory, MembershipFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_connection")]

SEQUENCES, STEPS = 15, 20
# The token says which restaurant is meant. An invented one isn't found, which test_description.py
# tests.
WHICH_RESTAURANT = {"X-Restaurant", "restaurant", "rid"}
GUEST = {"name": "Dana Guest", "email": "dana@example.test", "phone": "212 555 0199"}
A_GUESTS = {f"customer{name.capitalize()}": value for name, value in GUEST.items()}
SPECIAL = "$response.body#/specials/0/id"
CHECKOUT = {"checkoutId": "$response.body#/checkoutId"}
# The operation and its status, then what can follow, with its parameters and its body.
LINKS: dict[tuple[str, str], list[tuple[str, dict[str, str], dict[str, Any] | None]]] = {
    ("getAvailableSpecials", "200"): [
        ("postPreOrders", {}, {"dishId": SPECIAL, **A_GUESTS}),
        ("postMultiOfferPaymentIntent", {}, {"items": [{"dishId": SPECIAL}], "guest": GUEST}),
        ("postPhoneOrders", {}, {"offerId": SPECIAL, "quantity": 1, **A_GUESTS}),
        ("getOverview", {"offerId": SPECIAL}, None),
        ("postOfferCancellation", {"offerId": SPECIAL}, {"reason": "The oven is broken."}),
    ],
    ("postPreOrders", "201"): [
        ("getPreOrder", {"reference": "$response.body#/preorderId"}, None),
        ("getOrder", {"orderId": "$response.body#/preorderId"}, None),
        ("postCancel", {"orderId": "$response.body#/preorderId"}, {"reason": "A call."}),
    ],
    ("postMultiOfferPaymentIntent", "201"): [
        ("getCheckout", CHECKOUT, None),
        ("deleteCheckout", CHECKOUT, None),
        ("postCheckoutConfirm", CHECKOUT, {}),
        (
            "postCheckoutRetry",
            CHECKOUT | {"orderId": "$response.body#/items/0/preorderId"},
            None,
        ),
    ],
    ("getOrders", "200"): [
        ("postCancel", {"orderId": "$response.body#/orders/0/id"}, {"reason": "A call."}),
        ("postNotes", {"orderId": "$response.body#/orders/0/id"}, {"text": "Allergic to nuts."}),
    ],
}


def linked_description():
    description = deepcopy(DESCRIPTION)
    operations = {
        operation["operationId"]: operation
        for methods in description["paths"].values()
        for operation in methods.values()
    }
    for (source, status), following in LINKS.items():
        operations[source]["responses"][status]["links"] = {
            f"{target}{number}": {
                "operationId": target,
                "parameters": parameters,
                **({} if body is None else {"requestBody": body}),
                "x-schemathesis": {"merge_body": False},
            }
            for number, (target, parameters, body) in enumerate(following)
        }
    found = schemathesis.openapi.from_dict(description)
    found.app = lambda environ, start: application()(environ, start)
    found.config.generation.update(modes=[GenerationMode.POSITIVE])
    return found


def sequences():
    """The state machine that makes the sequences. Each begins with a list, because a made-up body
    is refused and nothing could follow it."""
    machine = linked_description().as_state_machine()
    for name in machine.root_rules:
        if "POST" in name:
            delattr(machine, name)
    return machine


@pytest.fixture
def headers(world):
    """Request headers of the owner of a restaurant that takes payments, with guests, dishes, and a
    team."""
    Restaurant.objects.filter(pk=world.restaurant.pk).update(subscription_tier="branded")
    owner = MembershipFactory(restaurant=world.restaurant, role="owner").user
    for role in ("manager", "kitchen"):
        MembershipFactory(restaurant=world.restaurant, role=role)
    DishFactory(restaurant=world.restaurant)
    charged = world.offer(min_preorders=1)
    world.authorized_order(charged)
    world.settle(charged)
    world.authorized_order(world.offer(max_preorders=9), 2)
    token = issue_token(user=owner, now=world.now)
    return {
        "Authorization": f"Bearer {token}",
        "Host": "localhost",
        "Accept-Encoding": "identity",
    }


def test_what_one_call_answers_the_next_one_can_use(headers):
    """Every answer is as described, and the calls with ids that exist are carried out."""
    used, carried_out = defaultdict(set), defaultdict(set)

    class Sequence(sequences()):  # type: ignore[misc]
        def setup(self):
            forget_everything()  # the limits of requests
            self.undone = transaction.atomic()
            self.undone.__enter__()

        def teardown(self):
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

        def get_call_kwargs(self, case):
            return {"headers": headers}

        def before_call(self, case):
            for place in (case.headers, case.query):
                for name in WHICH_RESTAURANT & set(place or ()):
                    del place[name]

        def step(self, input):
            output = super().step(input)
            if input.transition is not None and input.is_applied:
                target = input.case.operation.label
                used[target].add(input.transition.id)
                if output.response.status_code < 300:
                    carried_out[target].add(input.transition.id)
            return output

        def validate_response(self, response, case, **more):
            case.validate_response(response, checks=CHECKS)

    run_state_machine_as_test(
        Sequence,
        settings=settings(
            max_examples=SEQUENCES,
            stateful_step_count=STEPS,
            phases=[Phase.generate],
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    # Which links these are changes when an operation is added. The rest are refused, for instance
    # because the order was picked up.
    assert len(carried_out) >= 10
    assert len(used) >= 15
