"""What operators do leaves events: an alarm acknowledged, a copy of all data taken."""

import pytest

from apps.admin_ops.backup import record_backup
from apps.admin_ops.models import Backup
from apps.monitoring.models import Alarm
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db


def test_acknowledging_an_alarm_names_the_person_and_the_alarm(api, events, clock):
    staff = StaffFactory()
    alarm = Alarm.objects.create(
        name="emails_late",
        severity="critical",
        figure=1000,
        detail="9 emails wait",
        opened_at=clock.now,
        seen_at=clock.now,
    )
    api(staff).upload("/staff/status", {"alarm": alarm.pk, "note": "Calling the provider"})
    (event,) = events("alarm_acknowledged")
    assert (event.actor_id, event.actor_kind) == (staff.pk, "staff")
    assert (event.object_kind, event.object_id) == ("alarm", str(alarm.pk))
    assert event.details == {"alarm": "emails_late"}


def test_a_backup_leaves_its_time_and_size(events, clock, platform):
    begun = clock.now
    record_backup({"a": 2, "b": 3}, taken_at=begun, now=clock.advance(minutes=4))
    backup = Backup.objects.get()
    assert (backup.taken_at, backup.finished_at, backup.rows_written) == (begun, clock.now, 5)
    (event,) = events("backup_taken")
    assert (event.actor_kind, event.details) == ("system", {"rows": 5})
