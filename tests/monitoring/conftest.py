"""A receiver of webhooks on this machine, and a system in which all is well."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.monitoring.models import AlarmCheck
from tests.monitoring.trouble import all_is_well
from tests.receiver import Receiver, listening

WEBHOOK_SECRET = "whsec_" + "QUJD" * 10


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with listening() as listener:
        listener.url = listener.url.partition("/hooks")[0]
        yield listener


@pytest.fixture
def well(db: None, platform: None, clock: Any, settings: Any) -> Any:
    """Everything works and was checked a minute ago; notices go nowhere. Returns the clock."""
    settings.BACKUP_MAX_AGE_HOURS = 26
    settings.ALARM_EMAILS, settings.ALARM_WEBHOOK_URL = [], ""
    all_is_well(clock.now)
    AlarmCheck.objects.create(pk=1, checked_at=clock.now)
    clock.advance(seconds=5)
    return clock


@pytest.fixture
def notified(well: Any, receiver: Receiver, settings: Any) -> Receiver:
    """Notices go to `ops@platform.test` and to the receiver."""
    settings.ALARM_EMAILS = ["ops@platform.test"]
    settings.ALARM_WEBHOOK_URL = f"{receiver.url}/alarms"
    settings.ALARM_WEBHOOK_SECRET = WEBHOOK_SECRET
    return receiver
