"""Support visits: staff see what the owner sees, with consent, for a while, and change nothing."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver

from apps.activity.models import LoggedEvent
from apps.restaurants.models import Membership, SupportVisit
from apps.restaurants.support_visits import ENDINGS
from tests.activity.test_every_write import EVENTS_OF
from tests.activity.writes import SAMPLES, patterns
from tests.caching import forget_everything
from tests.contract.test_every_operation import NOBODY
from tests.factories import MembershipFactory, PreOrderFactory, StaffFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]
FORM = "application/x-www-form-urlencoded"
SECURITY = "/restaurant/security"
ALLOW = f"{SECURITY}/support"
WHY = "You wrote that your payouts are missing"


def asked(client: Any, cast: Any, reason: str = WHY) -> SupportVisit:
    path = f"/staff/support/{cast.restaurant.pk}"
    assert client.post(path, urlencode({"reason": reason}), FORM).status_code == 302
    return SupportVisit.objects.latest("asked_at")


def allowed(api: Any, cast: Any, hours: str = "24") -> None:
    assert api(cast.owner).post(ALLOW, urlencode({"hours": hours}), FORM).status_code == 302


def start(client: Any, visit: SupportVisit) -> Any:
    data = {"restaurant": str(visit.restaurant_id)}
    return client.post(f"/staff/support/{visit.pk}/start", urlencode(data), FORM)


@pytest.fixture
def visiting(cast, api):
    """A client of staff on a visit to the cast's restaurant."""
    client = api(cast.staff)
    visit = asked(client, cast)
    allowed(api, cast)
    assert start(client, visit).headers["Location"] == "/restaurant"
    return client


def kinds() -> list[str]:
    found = LoggedEvent.objects.filter(kind__startswith="support_").order_by("pk")
    return list(found.values_list("kind", flat=True))


# --- consent --------------------------------------------------------------------------------------
def test_staff_ask_and_the_owners_read_why(cast, api, run_tasks):
    other_owner = MembershipFactory(restaurant=cast.restaurant, role=Membership.Role.OWNER).user
    asked(api(cast.staff), cast)
    run_tasks()
    assert {each.to[0] for each in mail.outbox} == {cast.owner.email, other_owner.email}
    assert mail.outbox[0].subject == "Can support look at Luigi's?"
    assert WHY in mail.outbox[0].body
    assert "/restaurant/security#support" in mail.outbox[0].body
    event = LoggedEvent.objects.get(kind="support_visit_asked")
    assert (event.restaurant_id, event.actor_id) == (cast.restaurant.pk, cast.staff.pk)
    assert WHY in api(cast.owner).get(SECURITY).content.decode()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_a_visit_without_a_reason_is_not_asked_for(cast, api, reason, run_tasks):
    answer = api(cast.staff).post(
        f"/staff/support/{cast.restaurant.pk}", urlencode({"reason": reason}), FORM
    )
    assert answer.status_code == 400
    assert "Say why you want to look" in answer.content.decode()
    assert not SupportVisit.objects.exists()
    run_tasks()
    assert mail.outbox == []


def test_without_the_owners_consent_no_visit_starts(cast, api):
    client = api(cast.staff)
    visit = asked(client, cast)
    page = f"/staff/support/{cast.restaurant.pk}"
    assert start(client, visit).headers["Location"] == page
    assert "hasn&#x27;t turned on support access" in client.get(page).content.decode()
    visit.refresh_from_db()
    assert visit.started_at is None
    assert client.get(SECURITY).status_code == 302  # to the list of restaurants


def test_consent_ends_by_itself(cast, api, clock):
    client = api(cast.staff)
    visit = asked(client, cast)
    allowed(api, cast, hours="1")
    clock.advance(hours=1)
    start(client, visit)
    visit.refresh_from_db()
    assert visit.started_at is None


def test_only_an_owner_with_a_fresh_proof_turns_access_on(cast, api):
    late = api(cast.owner, signed_in_ago=3600).post(ALLOW, urlencode({"hours": "24"}), FORM)
    assert late.headers["Location"].startswith("/account/again")
    assert api(cast.manager).post(ALLOW, urlencode({"hours": "24"}), FORM).status_code == 403
    assert api(cast.owner).post(ALLOW, urlencode({"hours": "10000"}), FORM).status_code == 302
    cast.restaurant.refresh_from_db()
    assert cast.restaurant.support_access_until is None
    assert kinds() == []


def test_nobody_but_staff_asks_or_starts(cast, api):
    visit = asked(api(cast.staff), cast)
    allowed(api, cast)
    for person in (cast.owner, cast.outsider):
        page = f"/staff/support/{cast.restaurant.pk}"
        assert api(person).post(page, urlencode({"reason": WHY}), FORM).status_code == 403
        assert start(api(person), visit).status_code == 403
    assert start(api(), visit).headers["Location"].startswith("/login")
    assert SupportVisit.objects.get().started_at is None


def test_a_visit_needs_a_fresh_proof_and_is_for_who_asked(cast, api):
    visit = asked(api(cast.staff), cast)
    allowed(api, cast)
    late = start(api(cast.staff, signed_in_ago=3600), visit)
    assert late.headers["Location"].startswith("/account/again")
    start(api(StaffFactory()), visit)
    assert SupportVisit.objects.get().started_at is None


# --- the visit ------------------------------------------------------------------------------------
def test_staff_see_the_owners_pages_under_a_banner(cast, api, visiting, run_tasks):
    for page in ("/restaurant", SECURITY, "/restaurant/team", "/restaurant/settings", "/account"):
        answer = visiting.get(page)
        assert answer.status_code == 200, page
        assert "Support visit: Luigi&#x27;s." in answer.content.decode(), page
    assert visiting.get("/api/orders").status_code == 200
    run_tasks()
    assert [each.subject for each in mail.outbox][-1] == "Support is looking at Luigi's"
    assert kinds() == ["support_visit_asked", "support_access_allowed", "support_visit_started"]
    log = api(cast.owner).get("/restaurant/activity").content.decode()
    assert "Support visit started" in log
    assert WHY in log


def test_a_page_for_guests_shows_the_banner_to_staff_and_to_nobody_else(cast, api, visiting):
    path = f"/specials?rid={cast.restaurant.pk}"
    assert "Support visit" not in api().get(path).content.decode()
    assert "Support visit" in visiting.get(path).content.decode()
    assert "Support visit" not in api().get(path).content.decode()
    forget_everything()
    assert "Support visit" in visiting.get(path).content.decode()
    assert "Support visit" not in api().get(path).content.decode()


def test_another_restaurant_is_not_part_of_the_visit(cast, visiting):
    assert visiting.get(f"{SECURITY}?restaurant={cast.other.pk}").status_code == 403


def test_a_visit_ends_by_itself_after_half_an_hour(cast, visiting, clock):
    clock.advance(minutes=29, seconds=59)
    assert visiting.get(SECURITY).status_code == 200
    clock.advance(seconds=1)
    answer = visiting.get(SECURITY)
    assert answer.status_code == 302
    assert kinds()[-1] == "support_visit_ended"
    visit = SupportVisit.objects.get()
    assert visit.started_at
    assert visit.ended_at == visit.started_at + timedelta(minutes=30)
    assert "Support visit:" not in visiting.get("/account").content.decode()
    assert kinds().count("support_visit_ended") == 1


def test_an_owner_ends_a_visit_at_once(cast, api, visiting):
    assert api(cast.owner, signed_in_ago=3600).post(ALLOW, urlencode({}), FORM).status_code == 302
    assert visiting.get(SECURITY).status_code == 302
    assert kinds()[-2:] == ["support_access_ended", "support_visit_ended"]
    api(cast.owner).post(ALLOW, urlencode({}), FORM)  # again changes nothing
    assert kinds().count("support_access_ended") == 1


def test_staff_end_their_visit_and_cannot_continue_it(cast, visiting):
    visit = SupportVisit.objects.get()
    assert visiting.post("/staff/support/end", urlencode({}), FORM).status_code == 302
    assert visiting.get(SECURITY).status_code == 302
    start(visiting, visit)
    assert visiting.get(SECURITY).status_code == 302
    assert kinds()[-1] == "support_visit_ended"


def test_a_visit_ends_with_the_staffs_rights(cast, visiting):
    cast.staff.role = "user"
    cast.staff.save(update_fields=["role"])
    for _ in range(2):
        assert visiting.get(SECURITY).status_code == 302
    assert kinds().count("support_visit_ended") == 1
    assert SupportVisit.objects.get().ended_at is not None


def test_a_visit_ends_with_the_staffs_account(cast, visiting):
    cast.staff.is_active = False
    cast.staff.save(update_fields=["is_active"])
    assert visiting.get(SECURITY).status_code == 302
    assert kinds().count("support_visit_ended") == 1


def test_a_visit_ends_with_the_staffs_session(cast, visiting):
    assert visiting.post("/logout").status_code == 302
    assert kinds().count("support_visit_ended") == 1


# --- nothing can be changed -----------------------------------------------------------------------
def _everything_that_writes() -> list[tuple[str, str, str]]:
    """`(method, address, url name)` of all that `test_every_write` names."""
    addresses = {route: address for route, address in patterns(PATTERNS)}
    names = {f"/{each[0]}": each[1] for each in _names(PATTERNS)}
    found = []
    for write in EVENTS_OF:
        method, path = write.split(" ", 1)
        address = addresses.get(path[1:]) or path
        for parameter in ("{token}", "{tokenId}", "{userId}"):
            address = address.replace(parameter, NOBODY)
        while "{" in address:
            start_, end_ = address.index("{"), address.index("}")
            address = address[:start_] + NOBODY + address[end_ + 1 :]
        if "(?P" in address or "^" in address:
            address = "/account/confirm-email/x" if "confirm-email" in address else ""
        if address:
            found.append((method, address, names.get(path, "")))
    return found


def _names(patterns: Any, prefix: str = "") -> Any:
    for each in patterns:
        route = prefix + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from _names(each.url_patterns, route)
        else:
            yield route, each.name or ""


PATTERNS = get_resolver("config.urls_platform").url_patterns
WRITES = ("INSERT", "UPDATE", "DELETE")
# What is written outside the view: sessions, and that something was refused.
OUTSIDE = ('"django_session"', '"activity_loggedevent"', '"usersessions_usersession"')


def test_nothing_that_writes_gets_past_a_visit(cast, visiting):
    assert SAMPLES  # the addresses' parameters
    writes = _everything_that_writes()
    assert len(writes) > 100
    refused = 0
    for method, address, name in writes:
        if name in ENDINGS:
            continue
        with CaptureQueriesContext(connection) as sent:
            answer = visiting.generic(method, address, b"{}", content_type="application/json")
        if answer.status_code == 404 and answer.resolver_match is None:
            continue  # of another host
        assert answer.status_code == 403, f"{method} {address}"
        refused += 1
        written = [
            each["sql"]
            for each in sent.captured_queries
            if each["sql"].startswith(WRITES) and not any(table in each["sql"] for table in OUTSIDE)
        ]
        assert written == [], f"{method} {address}"
    assert refused > 100


def test_a_refused_write_says_what_to_do(cast, visiting):
    page = visiting.post("/account/name", urlencode({"name": "X"}), FORM)
    assert page.status_code == 403
    assert "End the visit first" in page.content.decode()
    answer = visiting.put("/api/restaurant/settings", {"taxRate": "5.00"})
    assert answer.json()["code"] == "support_visit"
    assert answer.json()["message"].startswith("You can't change anything")


def test_what_writes_although_it_only_reads_is_refused_by_the_database(cast, visiting):
    """An export of guests' data is a GET that leaves an entry in the activity log."""
    PreOrderFactory(restaurant=cast.restaurant, offer__restaurant=cast.restaurant)
    assert visiting.get("/api/orders/export?format=csv").status_code == 403
    assert not LoggedEvent.objects.filter(kind="orders_exported").exists()
