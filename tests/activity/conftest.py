from collections.abc import Callable
from typing import Any

import pytest

from apps.activity.models import LoggedEvent
from apps.common import rls
from tests.accounts.conftest import app_of, emails, submit

__all__ = ["app_of", "emails", "submit"]


@pytest.fixture
def events(db: None) -> Callable[..., list[LoggedEvent]]:
    """`events("signed_in")`: the events of these kinds (or all), oldest first."""

    def find(*kinds: str, **facts: Any) -> list[LoggedEvent]:
        with rls.acting_as(rls.PLATFORM):
            found = LoggedEvent.objects.filter(**facts)
            return list((found.filter(kind__in=kinds) if kinds else found).order_by("pk"))

    return find
