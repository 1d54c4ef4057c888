"""The API's answers match its description, for inputs generated from the description."""

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
# It goes through every boundary of every field, and takes five times as long as everything else.
description.config.phases.coverage.enabled = False


@cache
def application():
    """Loaded when a test runs and not before, because it looks for folders of the run."""
    return get_wsgi_application()


description.app = lambda environ, start: application()(environ, start)


# Health answers 503 here, correctly, because no worker is running.
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
