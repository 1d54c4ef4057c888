"""What the API answers is what its description says, tried with inputs made from that."""

from copy import deepcopy
from functools import cache

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from apps.accounts.services import issue_token
from tests.conftest import NOON
from tests.contract.test_every_operation import DESCRIPTION
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory

pytestmark = pytest.mark.django_db
CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]
description = schemathesis.openapi.from_dict(deepcopy(DESCRIPTION))
# Which goes through every boundary of every field, and takes five times as long as all else.
description.config.phases.coverage.enabled = False


@cache
def application():
    """Not before a test runs: it looks for folders that belong to the run."""
    return get_wsgi_application()


description.app = lambda environ, start: application()(environ, start)


@pytest.fixture(autouse=True)
def _one_connection():
    """A server gives its connection back after each request; here it is the test's own."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def owners_headers(cast, clock, stripe):
    """Those of the owner of a restaurant that has something to show, on a plan that shows it."""
    cast.restaurant.subscription_tier = "branded"
    cast.restaurant.save(update_fields=["subscription_tier"])
    SpecialOfferFactory(restaurant=cast.restaurant)
    PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.restaurant, max_preorders=9))
    DishFactory(restaurant=cast.restaurant)
    token = issue_token(user=cast.owner, now=NOON)
    return {"Authorization": f"Bearer {token}", "Host": "localhost"}


# Health says 503 here, truly: no worker is running.
@description.exclude(path="/api/health").parametrize()
@settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_described(case, owners_headers):
    answer = case.call(headers=owners_headers)
    case.validate_response(answer, checks=CHECKS)
