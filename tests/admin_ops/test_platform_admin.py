"""The staff's home page, its system log, and the developers' page (R30, R39–R56)."""

import re
from datetime import timedelta

import pytest

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.admin_ops.system_log import MOST_ENTRIES, system_log
from apps.admin_ops.views.developer import sample_calls
from tests.client import record_sign_in
from tests.conftest import NOON
from tests.pages import props_of

HOME = "/platform-admin"


@pytest.fixture
def staff(api, cast, clock):
    return api(cast.staff)


class TestWhoSeesTheHomePage:
    def test_visitors_sign_in_first(self, api, cast):
        assert api().get(HOME).headers["Location"] == f"/login?next={HOME}"

    @pytest.mark.parametrize("person", ["owner", "outsider", "manager", "stranger"])
    def test_people_who_are_not_staff_are_refused(self, api, cast, clock, person):
        page = api(getattr(cast, person)).get(HOME)
        assert page.status_code == 403
        assert cast.staff.email not in page.content.decode()

    def test_staff_without_a_second_step_are_told_how_to_get_one(self, api, cast, clock):
        client = api(cast.staff)
        record_sign_in(client, cast.staff, by_factor=False)
        page = client.get(HOME)
        assert page.status_code == 403
        assert f"/account/again?next={HOME.replace('/', '%2F')}" in page.content.decode()
        cast.staff.authenticator_set.all().delete()
        assert 'href="/account/two-factor/"' in client.get(HOME).content.decode()

    def test_staff_see_it_and_no_cache_stores_it(self, staff):
        page = staff.get(HOME)
        assert page.status_code == 200
        assert page.headers["Cache-Control"].startswith("max-age=0, no-cache, no-store")


class TestTheHomePage:
    def test_leads_to_both_apps_and_has_its_sections_in_order(self, staff):
        page = staff.get(HOME).content.decode()
        for link in ('href="/free-tier-dashboard">Open Dashboard', 'href="/patron">Browse'):
            assert link in page
        places = [
            page.index(each)
            for each in ("Add User", "Restaurant Management", "Patron App", "data-island", "Setup")
        ]
        assert places == sorted(places)

    def test_names_the_variables_of_both_setups_and_the_port(self, staff):
        page = staff.get(HOME).content.decode()
        for each in ("PORT", "NODE_ENV", "DATABASE_URL", "VITE_API_URL", "VITE_ENV"):
            assert f"<code>{each}</code>" in page
        assert "PORT=5000 make run" in page
        assert "View README" in page

    def test_hands_the_users_and_the_log_to_the_page(self, staff, cast):
        props = props_of(staff.get(HOME))
        assert props["total"] == len(props["users"])
        assert str(cast.staff.pk) == props["me"]
        assert props["entries"]


class TestTheSystemLog:
    def entries(self, started_at=NOON):
        return [(each.level, each.message) for each in system_log(started_at=started_at)]

    def test_starts_with_three_entries_that_are_true(self, cast, clock, settings):
        settings.PORT = 5000
        assert self.entries() == [
            ("INFO", "Server started on port 5000"),
            ("SUCCESS", "In-memory storage initialized"),
            ("INFO", "Middleware loaded successfully"),
        ]

    def test_says_when_the_storage_does_not_answer(self, cast, clock, monkeypatch):
        monkeypatch.setattr("apps.admin_ops.health.cache.get", lambda *_: None)
        assert self.entries()[1] == ("ERROR", "In-memory storage: doesn't return what was stored")

    def test_shows_what_happened_since_then_with_its_level(self, cast, clock):
        record(Kind.SIGNED_IN, account=cast.owner, actor=cast.owner, now=NOON - timedelta(hours=1))
        clock.advance(seconds=5)
        record(Kind.SETTINGS_CHANGED, restaurant=cast.restaurant, actor=cast.owner)
        clock.advance(seconds=1)
        record(Kind.ORDERS_EXPORTED, restaurant=cast.restaurant, actor=cast.owner)
        clock.advance(seconds=1)
        record(Kind.PERMISSION_REFUSED, account=cast.owner, actor=cast.owner, outcome="refused")
        clock.advance(seconds=1)
        record(Kind.SALES_LIMIT_LIFTED, restaurant=cast.restaurant)
        assert self.entries()[3:] == [
            ("SUCCESS", "Settings changed · Owner of Luigi's · Luigi's"),
            ("REQUEST", "Orders exported · Owner of Luigi's · Luigi's"),
            ("ERROR", "Not permitted · Owner of Luigi's"),
            ("INFO", "New-restaurant limit lifted · Fully Booked · Luigi's"),
        ]
        last = system_log(started_at=NOON)[-1]
        assert last.timestamp == "2027-03-22 16:00:08"
        assert re.fullmatch(
            r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", last.timestamp
        )  # YYYY-MM-DD HH:MM:SS

    def test_the_log_has_the_latest_fifty_entries(self, cast, clock):
        for _ in range(60):
            record(Kind.SETTINGS_CHANGED, restaurant=cast.restaurant, actor=cast.owner)
        found = self.entries()
        assert len(found) == MOST_ENTRIES == 50
        assert ("INFO", "Server started on port 8000") not in found

    def test_only_staff_can_read_the_log(self, api, cast, staff):
        assert api().get("/api/logs").status_code == 401
        assert api(cast.owner).get("/api/logs").status_code == 403
        found = staff.get("/api/logs").json()
        assert set(found[0]) == {"id", "timestamp", "level", "message"}


class TestTheDevelopersPage:
    def test_lists_six_calls_that_the_description_has(self, api, db):
        assert [(each.method, each.path) for each in sample_calls()] == [
            ("GET", "/api/users"),
            ("POST", "/api/users"),
            ("GET", "/api/users/{id}"),
            ("PUT", "/api/users/{id}"),
            ("DELETE", "/api/users/{id}"),
            ("GET", "/api/health"),
        ]
        assert {each.method: each.tone for each in sample_calls()} == {
            "GET": "herb",
            "POST": "sky",
            "PUT": "honey",
            "DELETE": "berry",
        }

    def test_shows_their_number_the_ports_and_its_sections(self, api, db, settings):
        settings.PORT = 8120
        page = api().get("/developer").content.decode()
        for anchor in ("overview", "api", "database", "logs"):
            assert f'href="#{anchor}"' in page
            assert f'id="{anchor}"' in page
        figures = re.findall(r'font-semibold">(\d+)<', page)
        assert figures == ["6", "5000", "8120"]
        assert "Running" in page
