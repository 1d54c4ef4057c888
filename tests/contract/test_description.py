"""What the API answers is what its description says, tried with inputs made from that."""

from copy import deepcopy
from functools import cache

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.contract.test_every_operation import DESCRIPTION

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_connection")]
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
