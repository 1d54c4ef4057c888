"""The staff's Status page: alarms, figures, and who looks after an alarm."""

import re
from html import unescape

import pytest
from allauth.mfa.models import Authenticator

from apps.common import rls
from apps.monitoring import notices, services
from apps.monitoring.models import Alarm, AlarmCheck, AlarmNotice
from apps.monitoring.rules import RULES
from tests.factories import StaffFactory
from tests.monitoring.trouble import TROUBLES, everybody_lives

PAGE = "/staff/status"


@pytest.fixture
def staff(api):
    return api(StaffFactory(name="Ada", email="staff@platform.test"))


def text(client, path=PAGE):
    return unescape(client.get(path).content.decode())


def ring(clock, *names):
    for name in names:
        TROUBLES[name].begin(clock.now)
    everybody_lives(clock.now)
    services.check_alarms(now=clock.now)


def test_a_quiet_system_says_so(well, staff):
    page = text(staff)
    assert "No open alarms." in page
    assert "No alarm has closed yet." in page
    assert "Nothing is checking the alarms" not in page


def test_each_figure_has_its_threshold_and_leads_to_its_runbook(well, staff):
    page = text(staff)
    for rule in RULES[:-1]:
        assert f'<a href="/staff/runbooks/{rule.name}">{rule.title}</a>' in page
    assert "30 minutes" in page  # the reconciler's


def test_an_open_alarm_shows_what_and_since_when(well, staff):
    ring(well, "captures_paused")
    page = text(staff)
    assert "Captures are paused" in page
    assert "1 order waits" in page
    assert "Critical" in page
    assert "Since" in page
    assert 'href="/staff/runbooks/captures_paused">Open the runbook' in page


def test_acknowledging_asks_for_a_note_and_then_shows_it(well, staff):
    ring(well, "captures_paused")
    alarm = Alarm.objects.get()
    refused = staff.upload(PAGE, {"alarm": alarm.pk, "note": " "})
    assert refused.status_code == 409
    assert "Describe what you&#x27;re doing about it" in refused.content.decode()
    done = staff.upload(PAGE, {"alarm": alarm.pk, "note": "Calling Stripe"})
    assert (done.status_code, done.url) == (302, f"{PAGE}?done=1")
    page = text(staff, done.url)
    assert "Ada is looking after it: Calling Stripe" in page
    assert "Acknowledged." in page
    assert "Acknowledge alarm" not in page
    again = staff.upload(PAGE, {"alarm": alarm.pk, "note": "Me too"})
    assert "already acknowledged" in again.content.decode()


@pytest.mark.parametrize("body", [{}, {"alarm": "x", "note": "y"}, {"alarm": "99", "note": "y"}])
def test_bad_input_changes_nothing(well, staff, body):
    ring(well, "captures_paused")
    assert staff.upload(PAGE, body).status_code == 409
    assert Alarm.objects.get().acknowledged_at is None


def test_a_closed_alarm_is_among_the_recent_ones(well, staff):
    ring(well, "captures_paused")
    Alarm.objects.update(closed_at=well.now)
    page = text(staff)
    assert "No open alarms." in page
    assert "Closed on its own" in page


def test_it_says_loudly_when_nobody_checks_the_alarms(well, staff):
    well.advance(minutes=4)
    page = text(staff)
    assert "Nothing is checking the alarms." in page
    assert "They were last checked" in page
    AlarmCheck.objects.all().delete()
    assert "They haven't been checked yet." in text(staff)


def test_it_shows_trouble_that_nobody_has_checked_yet(well, staff):
    """The figures are of now, also while the worker of the alarms is dead."""
    TROUBLES["captures_paused"].begin(well.advance(minutes=4))
    page = text(staff)
    assert "Too high" in page
    assert "no heartbeat for 245 s" in page


def test_it_says_when_notices_go_nowhere_or_fail(notified, well, staff, settings):
    notified.will_answer(500)
    ring(well, "captures_paused")
    assert "couldn't be sent" not in text(staff)
    for _ in range(2):
        notices.send_notices(now=well.advance(minutes=2))
    assert AlarmNotice.objects.filter(sent_at=None).count() == 1
    assert "1 alarm notice couldn't be sent" in text(staff)
    settings.ALARM_EMAILS, settings.ALARM_WEBHOOK_URL = [], ""
    assert "Notices go nowhere" in text(staff)


def test_a_question_that_fails_is_shown_as_such(well, staff, monkeypatch):
    asked = services.ask(now=well.now)
    asked.pop("webhooks_late")
    monkeypatch.setattr(services, "ask", lambda **_: asked)
    assert text(staff).count("Can't be read") == 1


def test_a_crowd_of_alarms_and_long_notes_is_shown(well, staff):
    # Of these alarms, the first two need a later check, and a pause hides what waits because of it.
    crowd = sorted(set(TROUBLES) - {"scheduler_silent", "worker_silent", "settlement_paused"})
    ring(well, *crowd)
    Alarm.objects.update(note="x" * 255, acknowledged_by="A" * 100, acknowledged_at=well.now)
    assert text(staff).count("is looking after it") == len(crowd)


# --- runbooks -------------------------------------------------------------------------------------
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_alarm_has_its_runbooks_page(well, staff, rule):
    page = text(staff, f"/staff/runbooks/{rule.name}")
    assert rule.title in page
    assert "First steps" in page


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_runbooks_page_shows_steps_as_a_list_and_has_no_link_that_leads_nowhere(
    well, staff, rule
):
    page = staff.get(f"/staff/runbooks/{rule.name}").content.decode()
    [text] = re.findall(r'<div class="card-body runbook">(.*?)</div>', page, re.S)
    assert text.count("<li>") == 3
    assert "**" not in text
    links = re.findall(r'href="([^"]+)"', text)
    assert [each for each in links if not each.startswith("https://")] == []
    assert "<code>SET app.platform = 'on';</code>" in page
    assert '<a href="/staff/status" aria-current="page">Status</a>' in page


def test_an_installation_without_documents_says_so(well, staff, settings, tmp_path):
    settings.BASE_DIR = tmp_path
    assert "has no docs/operations.md" in text(staff, "/staff/runbooks/emails_late")


def test_there_is_no_runbook_of_another_name(well, staff):
    assert staff.get("/staff/runbooks/nothing").status_code == 404


# --- who sees it ----------------------------------------------------------------------------------
@pytest.mark.parametrize("path", [PAGE, "/staff/runbooks/emails_late"])
@pytest.mark.parametrize("who", ["owner", "stranger"])
def test_both_are_for_staff_only(api, cast, who, path):
    assert api(getattr(cast, who)).get(path).status_code == 403
    assert api().get(path).status_code == 302


def test_staff_without_a_second_factor_are_refused(api, cast):
    Authenticator.objects.filter(user=cast.staff).delete()
    assert api(cast.staff).get(PAGE).status_code == 403


def test_an_owner_cannot_acknowledge(api, cast, well):
    ring(well, "captures_paused")
    with rls.acting_as(rls.PLATFORM):
        alarm = Alarm.objects.get()
    body = {"alarm": alarm.pk, "note": "Mine"}
    assert api(cast.owner).upload(PAGE, body).status_code == 403
    alarm.refresh_from_db()
    assert alarm.acknowledged_at is None
