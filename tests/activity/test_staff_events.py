"""What the log says about the platform's staff: accounts, suspended restaurants."""

import pytest

from apps.activity.models import LoggedEvent
from apps.common import rls
from tests.factories import UserFactory


@pytest.fixture
def staff(api, cast, clock):
    return api(cast.staff)


def logged():
    """The kind, the actor, and the account of every event except sign-ins."""
    with rls.acting_as(rls.PLATFORM):
        rows = LoggedEvent.objects.exclude(kind="new_device").order_by("pk")
        return [(each.kind, each.actor_kind, each.account_id) for each in rows]


def test_editing_an_account_is_logged_with_the_staff_member(staff, cast):
    person = UserFactory(name="Ann", email="ann@example.test")
    path = f"/api/users/{person.pk}"
    sent = {"name": "Anna", "email": "ann@example.test", "role": "editor", "isActive": False}
    staff.put(path, sent)
    staff.put(path, sent | {"isActive": True})
    assert logged() == [
        ("account_edited", "staff", person.pk),
        ("account_role_changed", "staff", person.pk),
        ("account_deactivated", "staff", person.pk),
        ("account_reactivated", "staff", person.pk),
    ]
    with rls.acting_as(rls.PLATFORM):
        changed = LoggedEvent.objects.get(kind="account_role_changed")
    assert changed.details == {"role": "editor", "before": "user"}
    assert changed.actor_id == cast.staff.pk


def test_suspending_and_restoring_are_in_the_restaurants_log_without_a_name(
    staff, api, cast, clock
):
    page = f"/staff/restaurants/{cast.restaurant.pk}"
    staff.upload(page, {"action": "suspend", "reason": "Unpaid fees", "specials": "run"})
    clock.advance(seconds=1)
    staff.upload(page, {"action": "restore"})
    events = api(cast.owner).get("/api/activity").json()["events"]
    assert [(each["kind"], each["actor"]) for each in events] == [
        ("restaurant_restored", "Fully Booked staff"),
        ("restaurant_suspended", "Fully Booked staff"),
    ]
