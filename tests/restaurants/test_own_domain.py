"""A restaurant's own domain: proven by DNS, served, and given up (decision 122)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError

from apps.activity.models import LoggedEvent
from apps.common import rls
from apps.common.errors import DomainError
from apps.restaurants import dns_records
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Domain, FormerAddress, OwnDomain, Restaurant
from apps.restaurants.services import own_domains, plans
from tests.conftest import NOON, Cast
from tests.dns_server import DnsServer
from tests.pages import text_of

HOST = "order.luigis.test"
TARGET = "domains.localhost"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]


@pytest.fixture
def dns(settings: Any) -> Iterator[DnsServer]:
    with DnsServer() as server:
        settings.DNS_SERVERS = [server.address]
        settings.OWN_DOMAIN_TARGET = TARGET
        yield server


@pytest.fixture
def luigis(cast: Cast) -> Restaurant:
    """The cast's restaurant on the Branded plan."""
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(
        subscription_tier="branded", onboarding_completed=True
    )
    return Restaurant.objects.get(pk=cast.restaurant.pk)


def add(restaurant: Restaurant, domain: str = HOST) -> OwnDomain:
    return own_domains.add_domain(restaurant=restaurant, domain=domain, now=NOON)


def prove(dns: DnsServer, row: OwnDomain) -> None:
    """Create both records."""
    dns.put(f"_fully-booked.{row.host}", "TXT", f'"fully-booked={row.token}"')
    dns.put(row.host, "CNAME", f"{TARGET}.")


def check(row: OwnDomain, *, later: timedelta = timedelta(0)) -> OwnDomain:
    found = own_domains.check_domain(domain_id=row.pk, now=NOON + later)
    assert found
    return found


@pytest.fixture
def live(dns: DnsServer, luigis: Restaurant, django_capture_on_commit_callbacks: Any) -> OwnDomain:
    row = add(luigis)
    prove(dns, row)
    with django_capture_on_commit_callbacks(execute=True):
        return check(row)


def events() -> list[str]:
    found = LoggedEvent.objects.filter(kind__startswith="domain").order_by("pk")
    return list(found.values_list("kind", flat=True))


def hosts_of(restaurant: Restaurant) -> set[str]:
    return set(Domain.objects.filter(tenant=restaurant).values_list("domain", flat=True))


class TestAdding:
    @pytest.mark.parametrize(
        ("typed", "host"),
        [
            ("order.luigis.test", "order.luigis.test"),
            (" Order.Luigis.TEST. ", "order.luigis.test"),
            ("bücher.test", "xn--bcher-kva.test"),
        ],
    )
    def test_a_domain_is_stored_as_dns_has_it(
        self, luigis: Restaurant, typed: str, host: str
    ) -> None:
        assert add(luigis, typed).host == host

    @pytest.mark.parametrize(
        "typed",
        [
            "",
            "luigis",
            "https://luigis.test",
            "luigis.test/menu",
            "luigis.test:80",
            "10.0.0.1",
            "::1",
            "a..b",
            "-a.test",
            "*.luigis.test",
            "lui gis.test",
            "a" * 64 + ".test",
            ".".join(["a" * 60] * 5),
            "<script>.test",
            "luigis.localhost",
            "mings.localhost",
            "localhost",
            "x.test\nHost: y",
        ],
    )
    def test_what_is_no_domain_of_ones_own_is_refused(
        self, api: Any, cast: Cast, luigis: Restaurant, typed: str
    ) -> None:
        answer = api(cast.owner).upload("/restaurant/domain/add", {"domain": typed})
        assert answer.status_code == 400
        assert "Enter a domain" in text_of(answer)
        assert not OwnDomain.objects.exists()

    def test_the_free_plan_does_not_include_one(self, api: Any, cast: Cast) -> None:
        with pytest.raises(DomainError, match="part of the Branded plan"):
            add(cast.restaurant)
        page = text_of(api(cast.owner).get("/restaurant/domain"))
        assert "Your own domain is part of the Branded plan. Upgrade to use it." in page
        assert "Add domain" not in page

    def test_another_one_replaces_one_that_waits_but_not_a_live_one(self, live: OwnDomain) -> None:
        with pytest.raises(DomainError, match=f"Remove {HOST} first"):
            add(live.restaurant, "other.test")
        own_domains.remove_domain(restaurant=live.restaurant, now=NOON)
        first = add(live.restaurant, "other.test")
        second = add(live.restaurant, "third.test")
        assert second.token != first.token
        assert [row.host for row in OwnDomain.objects.all()] == ["third.test"]

    def test_it_is_the_owners_alone(self, api: Any, cast: Cast, luigis: Restaurant) -> None:
        for person in (cast.manager, cast.kitchen):
            assert api(person).get("/restaurant/domain").status_code == 403
            assert api(person).post("/restaurant/domain/remove").status_code == 403


class TestProof:
    def test_both_records_make_it_live(self, live: OwnDomain, luigis: Restaurant) -> None:
        assert (live.status, live.ownership, live.routing) == ("live", "found", "found")
        assert hosts_of(luigis) == {"luigis.localhost", HOST}
        luigis.refresh_from_db()
        assert luigis.domain == HOST
        assert absolute_url("/specials", restaurant=luigis).startswith(f"http://{HOST}")
        assert events() == ["domain_added", "domain_live"]

    @pytest.mark.parametrize(
        ("txt", "cname", "answers"),
        [
            (None, None, ("missing", "missing")),
            ("right", None, ("found", "missing")),
            (None, "right", ("missing", "found")),
            ("wrong", "right", ("different", "found")),
            ("right", "wrong", ("found", "different")),
        ],
    )
    def test_one_record_alone_proves_nothing(
        self, dns: DnsServer, luigis: Restaurant, txt: Any, cname: Any, answers: Any
    ) -> None:
        row = add(luigis)
        if txt:
            value = row.token if txt == "right" else "somebody-else"
            dns.put(f"_fully-booked.{HOST}", "TXT", f'"fully-booked={value}"')
        if cname:
            dns.put(HOST, "CNAME", f"{TARGET if cname == 'right' else 'elsewhere.test'}.")
        found = check(row)
        assert (found.ownership, found.routing) == answers
        assert found.status == "waiting"
        assert hosts_of(luigis) == {"luigis.localhost"}

    def test_the_record_is_found_among_others_and_in_pieces(
        self, dns: DnsServer, luigis: Restaurant
    ) -> None:
        row = add(luigis)
        prove(dns, row)
        start, end = row.token[:10], row.token[10:]
        dns.put(f"_fully-booked.{HOST}", "TXT", '"v=spf1 -all"', f'"fully-booked={start}" "{end}"')
        assert check(row).status == "live"

    def test_the_top_of_a_zone_leads_here_with_our_addresses(
        self, dns: DnsServer, luigis: Restaurant
    ) -> None:
        row = add(luigis, "luigis.test")
        prove(dns, row)
        dns.remove("luigis.test", "CNAME")
        dns.put("luigis.test", "A", "192.0.2.9")
        dns.put(TARGET, "A", "192.0.2.7", "192.0.2.8")
        assert check(row).routing == "different"
        dns.put("luigis.test", "A", "192.0.2.8")
        assert check(row).status == "live"

    def test_a_name_server_that_is_silent_changes_nothing(
        self, dns: DnsServer, live: OwnDomain, monkeypatch: Any
    ) -> None:
        monkeypatch.setattr(dns_records, "LIFETIME", 0.1)
        dns.is_silent = True
        found = check(live, later=timedelta(days=9))
        assert (found.status, found.ownership, found.failing_since) == ("live", "silent", None)

    def test_nobody_gets_a_domain_by_another_restaurants_proof(
        self, dns: DnsServer, live: OwnDomain, cast: Cast
    ) -> None:
        """The record names one restaurant: it has its token."""
        Restaurant.objects.filter(pk=cast.other.pk).update(subscription_tier="branded")
        theirs = check(add(cast.other))
        assert (theirs.status, theirs.ownership) == ("waiting", "different")
        assert hosts_of(cast.other) == {"mings.localhost"}

    def test_of_two_who_prove_the_same_domain_the_first_has_it(
        self, dns: DnsServer, live: OwnDomain, cast: Cast
    ) -> None:
        Restaurant.objects.filter(pk=cast.other.pk).update(subscription_tier="branded")
        theirs = add(cast.other)
        dns.put(
            f"_fully-booked.{HOST}",
            "TXT",
            f'"fully-booked={live.token}"',
            f'"fully-booked={theirs.token}"',
        )
        found = check(theirs)
        assert (found.status, found.is_taken) == ("waiting", True)
        assert hosts_of(cast.other) == {"mings.localhost"}
        with pytest.raises(IntegrityError):
            Domain.objects.create(domain=HOST, tenant=cast.other, is_primary=False)

    def test_what_waits_is_checked_often_for_two_weeks_and_what_is_live_every_hour(
        self, dns: DnsServer, luigis: Restaurant
    ) -> None:
        row = add(luigis)
        assert own_domains.domains_to_check(now=NOON) == [row.pk]
        check(row)
        assert own_domains.domains_to_check(now=NOON + timedelta(minutes=4)) == []
        assert own_domains.domains_to_check(now=NOON + timedelta(minutes=5)) == [row.pk]
        check(row, later=timedelta(days=14))
        assert own_domains.domains_to_check(now=NOON + timedelta(days=99)) == []
        prove(dns, row)
        check(row, later=timedelta(days=20))
        due = NOON + timedelta(days=20, hours=1)
        assert own_domains.domains_to_check(now=due - timedelta(minutes=1)) == []
        assert own_domains.domains_to_check(now=due) == [row.pk]


class TestServing:
    def test_guests_see_the_pages_there_and_the_subdomain_leads_there(
        self, api: Any, live: OwnDomain
    ) -> None:
        page = api(host=HOST).get("/specials")
        assert page.status_code == 200
        assert f'<link rel="canonical" href="http://{HOST}' in page.content.decode()
        moved = api(host="luigis.localhost").get("/specials?x=1")
        assert moved.status_code == 307
        assert moved.headers["Location"].startswith(f"http://{HOST}")
        assert moved.headers["Location"].endswith("/specials?x=1")
        # The API answers where it is asked.
        assert api(host="luigis.localhost").get("/api/specials/available").status_code == 200

    def test_a_removed_domain_stops_answering(
        self, api: Any, cast: Cast, live: OwnDomain, django_capture_on_commit_callbacks: Any
    ) -> None:
        assert api(host=HOST).get("/specials").status_code == 200
        with django_capture_on_commit_callbacks(execute=True):
            api(cast.owner).post("/restaurant/domain/remove")
        assert api(host=HOST).get("/specials?fresh=1").status_code == 404
        assert api(host="luigis.localhost").get("/specials?fresh=1").status_code == 200
        assert not OwnDomain.objects.exists()
        assert Restaurant.objects.get(pk=cast.restaurant.pk).domain == ""
        assert events()[-1] == "domain_removed"

    def test_only_hosts_that_answer_get_a_certificate(
        self, api: Any, live: OwnDomain, cast: Cast
    ) -> None:
        Restaurant.objects.filter(pk=cast.other.pk).update(subscription_tier="branded")
        add(cast.other, "waiting.test")

        def allowed(host: str) -> int:
            answer = api().get("/certificates/allowed", {"domain": host})
            return int(answer.status_code)

        assert [allowed(host) for host in (HOST, HOST.upper(), "luigis.localhost")] == [200] * 3
        for host in ("waiting.test", f"www.{HOST}", "evil.test", "", "a" * 300, "x.localhost"):
            assert allowed(host) == 404

    def test_a_downgrade_moves_the_pages_back_and_redirects_for_a_month(
        self, api: Any, live: OwnDomain, luigis: Restaurant, django_capture_on_commit_callbacks: Any
    ) -> None:
        plans.choose_plan(restaurant=luigis, tier="free", now=NOON, by="x")
        assert "own domain" in " ".join(plans.downgrade_effects(luigis, tier="free", now=NOON))
        assert api(host=HOST).get("/specials").status_code == 200  # until the day
        later = NOON + timedelta(days=40)
        with django_capture_on_commit_callbacks(execute=True):
            assert plans.carry_out_plan_changes(now=later) == 1
        assert hosts_of(luigis) == {"luigis.localhost"}
        former = FormerAddress.objects.get(host=HOST)
        assert former.until == later + timedelta(days=30)
        assert (
            api(host=HOST)
            .get("/specials")
            .headers["Location"]
            .startswith("http://luigis.localhost")
        )
        assert own_domains.domains_to_check(now=later + timedelta(days=1)) == []
        assert events()[-1] == "domain_ended"

    def test_records_that_vanish_end_it_after_three_days_and_come_back(
        self, dns: DnsServer, live: OwnDomain, luigis: Restaurant, run_tasks: Any
    ) -> None:
        run_tasks()
        assert {email.subject for email in mail.outbox} == {f"{HOST} is live"}
        mail.outbox.clear()
        dns.remove(f"_fully-booked.{HOST}", "TXT")
        assert check(live, later=timedelta(hours=1)).status == "failing"
        assert check(live, later=timedelta(days=3)).status == "failing"
        assert HOST in hosts_of(luigis)
        assert check(live, later=timedelta(days=3, hours=1)).status == "waiting"
        assert hosts_of(luigis) == {"luigis.localhost"}
        run_tasks()
        assert [email.subject for email in mail.outbox] == [
            f"The DNS records of {HOST} are missing",
            f"{HOST} is no longer used",
        ]
        prove(dns, live)
        assert check(live, later=timedelta(days=4)).status == "live"
        assert HOST in hosts_of(luigis)

    def test_owners_are_told_which_records_to_put_back_and_by_when(
        self, dns: DnsServer, live: OwnDomain, run_tasks: Any
    ) -> None:
        dns.remove(HOST, "CNAME")
        check(live, later=timedelta(hours=1))
        mail.outbox.clear()
        run_tasks()
        *_, message = mail.outbox
        assert "Put its DNS records back by Thu, Mar 25, 1:00 PM EDT." in message.body
        assert "your pages move back to luigis.localhost." in message.body
        assert f"TXT name: _fully-booked.{HOST}\nValue: fully-booked={live.token}" in message.body
        assert f"CNAME name: {HOST}\nValue: {TARGET}\n" in message.body

    def test_records_that_come_back_in_time_change_nothing(
        self, dns: DnsServer, live: OwnDomain
    ) -> None:
        dns.remove(HOST, "CNAME")
        assert check(live, later=timedelta(hours=1)).status == "failing"
        dns.put(HOST, "CNAME", f"{TARGET}.")
        found = check(live, later=timedelta(hours=2))
        assert (found.status, found.failing_since) == ("live", None)


class TestPage:
    def test_it_shows_the_records_and_what_was_found(
        self, api: Any, cast: Cast, dns: DnsServer, luigis: Restaurant
    ) -> None:
        client = api(cast.owner)
        assert "Add a domain" in text_of(client.get("/restaurant/domain"))
        client.upload("/restaurant/domain/add", {"domain": HOST})
        row = OwnDomain.objects.get()
        page = text_of(client.get("/restaurant/domain"))
        assert f"_fully-booked.{HOST}" in page
        assert f"fully-booked={row.token}" in page
        assert TARGET in page
        assert page.count("Not checked yet") == 2
        dns.put(HOST, "CNAME", "elsewhere.test.")
        page = text_of(client.post("/restaurant/domain/check", follow=True))
        assert "Not found yet" in page
        assert "Has another value" in page
        assert "Not yet: the records aren't complete." in page
        prove(dns, row)
        page = text_of(client.post("/restaurant/domain/check", follow=True))
        assert f"{HOST} is live. Guests see your pages there now." in page
        assert page.count("Found") == 2
        assert "Checked Mon, Mar 22, 12:00 PM EDT" in page

    def test_checks_are_limited(self, api: Any, cast: Cast, luigis: Restaurant) -> None:
        client = api(cast.owner)
        for _ in range(20):
            client.post("/restaurant/domain/check")
        page = text_of(client.post("/restaurant/domain/check", follow=True))
        assert "Too many" in page


def test_another_restaurants_domain_is_invisible(cast: Cast, luigis: Restaurant) -> None:
    add(luigis)
    with rls.acting_as(cast.other):
        assert not OwnDomain.objects.exists()
