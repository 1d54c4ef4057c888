"""What has to be there before Django is set up, so that `pytest tests/…` works by itself."""

import django
import pytest

from devtools.testing import provide_environment

provide_environment()
django.setup()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--second-try",
        action="store_true",
        help="try a failed browser test once more, for diagnosis (decision 34)",
    )
