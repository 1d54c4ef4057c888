"""The nightly job: one table of retention rules, carried out in batches, repeatable, and
resumable."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command

from apps.accounts.models import BearerToken
from apps.accounts.services import issue_token
from apps.marketing.models import DemoLead
from apps.preorders.models import Email, ExpirationRun, Subscriber
from apps.privacy import retention, tasks
from apps.restaurants.models import Invitation, Restaurant
from tests.conftest import NOON
from tests.factories import PASSWORD, RestaurantFactory, UserFactory

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def leads(number, *, days_ago):
    return DemoLead.objects.bulk_create(
        DemoLead(
            email=f"visitor{days_ago}.{each}@example.test",
            created_at=NOON - days_ago * DAY,
            last_seen_at=NOON - days_ago * DAY,
        )
        for each in range(number)
    )


def test_only_what_is_too_old_goes(clock, platform):
    leads(1, days_ago=179)
    leads(2, days_ago=181)
    report = retention.prune(now=NOON)
    assert report.counts["Demo visitors' email address"] == 2
    assert DemoLead.objects.get().email == "visitor179.0@example.test"


def test_runs_of_the_scheduler_are_deleted_after_three_months(clock, platform):
    for days in (89, 91):
        ExpirationRun.objects.create(trigger="schedule", started_at=NOON - days * DAY)
    retention.prune(now=NOON)
    assert ExpirationRun.objects.get().started_at == NOON - 89 * DAY


def test_a_dry_run_says_what_a_run_does_and_does_nothing(
    clock, platform, capsys, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path  # other tests leave unfinished uploads in theirs
    leads(3, days_ago=181)
    call_command("prune", "--dry-run")
    said = capsys.readouterr().out
    assert "       3  Demo visitors' email address" in said
    assert "       3  rows would be deleted or anonymized" in said
    assert DemoLead.objects.count() == 3
    call_command("prune")
    assert "       3  rows were deleted or anonymized" in capsys.readouterr().out
    assert not DemoLead.objects.exists()


def test_pruning_works_in_batches(clock, platform, monkeypatch):
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    leads(5, days_ago=181)
    assert retention.prune(now=NOON).counts["Demo visitors' email address"] == 5
    assert not DemoLead.objects.exists()


def test_a_run_that_is_stopped_is_continued_by_the_next(clock, platform, monkeypatch):
    """The worker dies after its first batch; what it did stays done."""
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    leads(5, days_ago=181)
    real = retention._treat_batch
    batches: list[object] = []

    def dies(rule, now, after):
        if len(batches) == 1 and rule.data == "Demo visitors' email address":
            raise SystemExit
        answer = real(rule, now, after)
        if rule.data == "Demo visitors' email address":
            batches.append(answer)
        return answer

    with monkeypatch.context() as broken:
        broken.setattr(retention, "_treat_batch", dies)
        with pytest.raises(SystemExit):
            retention.prune(now=NOON)
    assert DemoLead.objects.count() == 3
    assert retention.prune(now=NOON).counts["Demo visitors' email address"] == 3
    assert not DemoLead.objects.exists()


def test_a_run_without_time_left_is_continued_in_another_message(
    clock, platform, monkeypatch, run_tasks
):
    leads(1, days_ago=181)
    monkeypatch.setattr(tasks, "PRUNE_SECONDS", 0)
    tasks.prune_task()
    assert DemoLead.objects.exists()
    monkeypatch.setattr(tasks, "PRUNE_SECONDS", 60)
    assert run_tasks() == ["privacy.prune"]
    assert not DemoLead.objects.exists()


def test_a_row_that_cannot_be_treated_does_not_stop_the_others(clock, platform, monkeypatch):
    monkeypatch.setattr(retention, "BATCH_SIZE", 1)
    stuck, *_ = leads(3, days_ago=181)
    rule = next(each for each in retention.RULES if each.data == "Demo visitors' email address")

    def treat(rows, now):
        return rows.exclude(email=stuck.email).delete()[0]

    monkeypatch.setattr(
        retention,
        "RULES",
        [
            retention.Rule(
                rule.data, rule.retention, rule.counted_from, rule.reason, rule.find, treat
            )
        ],
    )
    monkeypatch.setattr(retention, "EXPIRING", [])
    assert retention.prune(now=NOON).counts == {rule.data: 2}
    assert DemoLead.objects.get().email == stuck.email


def test_sessions_devices_and_tokens_end_with_their_time(api, clock, platform):
    user = UserFactory()
    api().post("/api/login", {"email": user.email, "password": PASSWORD})
    BearerToken.objects.all().delete()  # of signing in
    issue_token(user=user, now=clock.now, lifetime=30 * DAY)
    UserSession.objects.update(last_seen_at=NOON)
    Session.objects.update(expire_date=NOON + 30 * DAY)
    retention.prune(now=NOON + 29 * DAY)
    assert (UserSession.objects.count(), BearerToken.objects.count()) == (1, 1)
    retention.prune(now=NOON + settings.SESSION_LIMITS[1] + DAY)
    assert not UserSession.objects.exists()
    assert not BearerToken.objects.exists()
    assert not Session.objects.exists()


def test_invitations_that_are_over_go_after_a_month(clock, platform):
    restaurant = RestaurantFactory(registration_status=Restaurant.RegistrationStatus.COMPLETE)
    for number, facts in enumerate(
        [
            {"accepted_at": NOON - 31 * DAY},
            {"revoked_at": NOON - 31 * DAY},
            {"expires_at": NOON - 31 * DAY},
            {"accepted_at": NOON - 29 * DAY},
            {},
        ]
    ):
        sent = {"created_at": NOON - 40 * DAY, "expires_at": NOON + DAY, **facts}
        Invitation.objects.create(
            restaurant=restaurant,
            email=f"{number}@example.test",
            role="kitchen",
            digest=str(number),
            **sent,
        )
    retention.prune(now=NOON)
    assert sorted(Invitation.objects.values_list("email", flat=True)) == [
        "3@example.test",
        "4@example.test",
    ]


def test_who_unsubscribed_stays_unsubscribed_while_the_restaurant_has_the_address(world, platform):
    order = world.authorized_order(world.offer())
    recent = Subscriber.objects.create(
        restaurant=world.restaurant,
        email=order.customer_email.lower(),
        reminders=False,
        changed_at=world.now - 400 * DAY,
    )
    Subscriber.objects.create(
        restaurant=world.restaurant,
        email="gone@example.test",
        reminders=False,
        changed_at=world.now - 400 * DAY,
    )
    retention.prune(now=world.now)
    assert Subscriber.objects.get() == recent


def test_an_order_whose_hold_is_open_is_never_forgotten(world, platform):
    order = world.authorized_order(world.offer())
    retention.prune(now=world.now + 500 * DAY)
    assert world.fresh(order).customer_email == order.customer_email


def test_what_email_servers_answered_is_forgotten_after_a_month(world, platform):
    order = world.authorized_order(world.offer())
    Email.objects.filter(pre_order=order).update(
        error="550 dana@example.test unknown", sent_at=world.now, action_url="https://x.test/pay"
    )
    retention.prune(now=world.now + 29 * DAY)
    assert Email.objects.filter(pre_order=order).exclude(error="").exists()
    retention.prune(now=world.now + 31 * DAY)
    assert not Email.objects.filter(pre_order=order).exclude(error="", action_url="").exists()


@pytest.mark.parametrize("rule", retention.RULES, ids=lambda each: each.data)
def test_every_rule_says_why(rule):
    assert rule.reason.endswith(".")
    assert rule.counted_from
    assert rule.retention >= timedelta()
