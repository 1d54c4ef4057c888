"""The payment account as its owner sees it, and the links to the payment provider's pages."""

from datetime import timedelta
from typing import Any

import httpx
import pytest
import stripe as stripe_api

from apps.billing import services
from apps.billing.models import ConnectAccount
from apps.restaurants.models import Restaurant
from tests.refusals import without_codes

pytestmark = pytest.mark.usefixtures("world")

STATUS = "/api/connect-status"
ONBOARDING = "/api/connect-onboarding"
DASHBOARD = "/api/connect-dashboard"
NO_ANSWER = "Failed to connect to Stripe. Please try again."


@pytest.fixture
def newcomer(cast: Any) -> Any:
    """The cast's owner, whose restaurant has no payment account yet."""
    ConnectAccount.objects.filter(restaurant=cast.restaurant).delete()
    return cast


def url_of(answer: Any) -> str:
    assert answer.status_code == 200, answer.content
    return str(answer.json()["url"])


def choose(url: str, choice: str) -> str:
    """Press a button on the payment provider's page; returns where it leads back to."""
    answer = httpx.post(url, data={"choice": choice})
    return answer.headers["location"]


def account_of(restaurant: Restaurant) -> ConnectAccount:
    return ConnectAccount.objects.get(restaurant=restaurant)


def completed(restaurant: Restaurant) -> bool:
    return Restaurant.objects.get(pk=restaurant.pk).stripe_completed


def calls(world: Any) -> dict[str, int]:
    """The calls to the payment provider, and how often each was made."""
    made: dict[str, int] = world.stripe.look()["calls"]
    return made


class TestStatus:
    def test_the_status_of_a_restaurant_without_an_account_is_not_connected(
        self, api: Any, newcomer: Any, world: Any
    ) -> None:
        answer = api(newcomer.owner).get(STATUS)
        assert answer.status_code == 200
        assert answer.json() == {
            "connected": False,
            "accountId": None,
            "details_submitted": False,
            "charges_enabled": False,
            "payouts_enabled": False,
            "requirements": {"currently_due": [], "eventually_due": []},
            "setup": {
                "state": "not_connected",
                "headline": "Not connected",
                "sentence": "Connect Stripe to get paid. It takes about five minutes. "
                "Have your bank details ready. "
                "Until then, guests can see your specials but can't pre-order.",
                "action": "onboarding",
                "actionLabel": "Continue to Stripe Setup",
                "todo": [],
                "later": [],
                "takesOrders": False,
            },
            "syncedAt": None,
            "isCurrent": True,
        }
        assert calls(world) == {}

    def test_what_is_missing_is_said_in_words(self, api: Any, newcomer: Any) -> None:
        api(newcomer.owner).post(ONBOARDING, {"embedded": False})
        status = api(newcomer.owner).get(STATUS).json()
        assert status["connected"] is True
        assert status["accountId"] == account_of(newcomer.restaurant).account_id
        assert "external_account" in status["requirements"]["currently_due"]
        setup = status["setup"]
        assert (setup["state"], setup["headline"]) == ("in_progress", "Setup In Progress")
        assert setup["actionLabel"] == "Continue Stripe Setup"
        assert setup["todo"] == [
            "The business's industry",
            "The business's website, or a description of what it sells",
            "The type of business",
            "A bank account or debit card for payouts",
            "Your acceptance of Stripe's terms of service",
        ]
        assert setup["later"] == []

    def test_what_is_thirty_seconds_old_is_read_afresh(
        self, api: Any, newcomer: Any, world: Any
    ) -> None:
        owner = api(newcomer.owner)
        owner.post(ONBOARDING, {"embedded": False})
        world.stripe.control(onboard=account_of(newcomer.restaurant).account_id)
        world.later(seconds=30)
        assert owner.get(STATUS).json()["charges_enabled"] is False
        assert not completed(newcomer.restaurant)
        world.later(seconds=1)
        status = owner.get(STATUS).json()
        assert (status["details_submitted"], status["charges_enabled"]) == (True, True)
        assert status["payouts_enabled"] is True
        assert status["setup"]["state"] == "complete"
        assert status["syncedAt"] == world.now.isoformat()
        assert completed(newcomer.restaurant)

    def test_when_asked_it_is_read_at_once(self, api: Any, newcomer: Any, world: Any) -> None:
        owner = api(newcomer.owner)
        owner.post(ONBOARDING, {"embedded": False})
        world.stripe.control(onboard=account_of(newcomer.restaurant).account_id)
        assert owner.get(STATUS).json()["charges_enabled"] is False
        assert owner.get(f"{STATUS}?refresh=1").json()["setup"]["state"] == "complete"

    def test_who_asks_without_end_is_told_what_is_known(
        self, api: Any, newcomer: Any, world: Any
    ) -> None:
        owner = api(newcomer.owner)
        owner.post(ONBOARDING)
        before = sum(calls(world).values())
        for _ in range(25):
            assert owner.get(f"{STATUS}?refresh=1").status_code == 200
        assert sum(calls(world).values()) - before == 20

    def test_an_account_that_lost_something_is_not_complete(
        self, api: Any, cast: Any, world: Any
    ) -> None:
        restaurant = world.open_restaurant(name="Sole", subdomain="sole")
        account = account_of(restaurant)
        services.sync_account(account_id=account.account_id, now=world.now)
        assert completed(restaurant)
        url = stripe_api.AccountLink.create(
            account=account.account_id,
            type="account_onboarding",
            return_url="http://localhost/",
            refresh_url="http://localhost/",
        ).url
        choose(url, "pending")
        services.sync_account(account_id=account.account_id, now=world.later(seconds=40))
        assert not completed(restaurant)
        assert not account_of(restaurant).charges_enabled

    @pytest.mark.parametrize("kind", ["500", "lost_response"])
    def test_a_processor_that_does_not_answer_never_fails_it(
        self, api: Any, cast: Any, world: Any, kind: str
    ) -> None:
        ConnectAccount.objects.filter(restaurant=cast.restaurant).update(
            synced_at=world.now - timedelta(hours=1)
        )
        world.stripe.control(http_fault={"kind": kind, "path_prefix": "/v1/accounts"})
        answers = [api(cast.owner).get(STATUS) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        status = answers[-1].json()
        assert status["isCurrent"] is False
        assert status["charges_enabled"] is True  # as it was last read
        assert sum(calls(world).values()) <= 1, "nobody waits a second time"

    def test_an_older_answer_does_not_replace_a_newer_one(self, world: Any) -> None:
        restaurant = world.open_restaurant(name="Sole", subdomain="sole")
        account = account_of(restaurant)
        services.sync_account(account_id=account.account_id, now=world.now + timedelta(seconds=5))
        ConnectAccount.objects.update(requirements={"currently_due": ["newer"]})
        services.sync_account(account_id=account.account_id, now=world.now)
        assert account_of(restaurant).requirements == {"currently_due": ["newer"]}

    def test_an_owner_sees_only_their_own_account(self, api: Any, newcomer: Any) -> None:
        assert api(newcomer.outsider).get(STATUS).json()["connected"] is True
        assert api(newcomer.owner).get(STATUS).json()["connected"] is False
        path = f"{STATUS}?restaurant={newcomer.other.pk}"
        assert api(newcomer.owner).get(path).status_code == 404


class TestOnboarding:
    @pytest.mark.parametrize(
        ("path", "body", "page"),
        [
            (ONBOARDING, {}, "/restaurant/settings"),
            (ONBOARDING, {"embedded": False}, "/restaurant/settings"),
            (ONBOARDING, {"embedded": True, "returnTo": "/restaurant"}, "/restaurant"),
            ("/api/stripe/onboarding", None, "/restaurant/settings"),
        ],
    )
    def test_onboarding_leads_to_stripe_and_back(
        self, api: Any, newcomer: Any, settings: Any, path: str, body: Any, page: str
    ) -> None:
        url = url_of(api(newcomer.owner).post(path, body))
        back = f"http://localhost:{settings.PUBLIC_PORT}{page}?"
        whose = f"&restaurant={newcomer.restaurant.pk}"
        assert choose(url, "exit") == f"{back}success=1{whose}"
        assert choose(url, "exit") == f"{back}refresh=1{whose}", "a link works once"

    def test_pressed_again_it_is_the_same_account(
        self, api: Any, newcomer: Any, world: Any
    ) -> None:
        links = {url_of(api(newcomer.owner).post(ONBOARDING)) for _ in range(3)}
        assert len(links) == 3
        assert ConnectAccount.objects.filter(restaurant=newcomer.restaurant).count() == 1
        assert len(stripe_api.Account.list().data) == 1

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"embedded": "perhaps"}, "embedded"),
            ({"embedded": None}, "embedded"),
            ({"embedded": [True]}, "embedded"),
            ({"returnTo": "https://elsewhere.example"}, "returnTo"),
            ({"returnTo": "//elsewhere.example"}, "returnTo"),
            ({"returnTo": None}, "returnTo"),
        ],
    )
    def test_a_request_with_an_invalid_field_opens_no_account(
        self, api: Any, newcomer: Any, body: Any, field: str
    ) -> None:
        answer = api(newcomer.owner).post(ONBOARDING, body)
        assert answer.status_code == 400
        assert [each["field"] for each in answer.json()["errors"]] == [field]
        assert not ConnectAccount.objects.filter(restaurant=newcomer.restaurant).exists()

    @pytest.mark.parametrize("path", [ONBOARDING, "/api/stripe/onboarding"])
    @pytest.mark.parametrize("kind", ["500", "lost_response"])
    def test_a_processor_that_does_not_answer(
        self, api: Any, newcomer: Any, world: Any, path: str, kind: str
    ) -> None:
        world.stripe.control(http_fault={"kind": kind, "path_prefix": "/v1/account_links"})
        answer = api(newcomer.owner).post(path)
        assert (answer.status_code, answer.json()["message"]) == (503, NO_ANSWER)
        assert url_of(api(newcomer.owner).post(path))
        assert len(stripe_api.Account.list().data) == 1

    def test_a_refusal_by_stripe_asks_the_owner_to_contact_us(
        self, api: Any, cast: Any, world: Any
    ) -> None:
        """The cast's account is not known there."""
        for path in (ONBOARDING, DASHBOARD):
            answer = api(cast.owner).post(path)
            assert answer.status_code == 409
            assert "Contact us" in answer.json()["message"]

    def test_an_email_nobody_confirmed_is_not_paid_out(
        self, api: Any, newcomer: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        newcomer.owner.emailaddress_set.update(verified=False)
        answer = api(newcomer.owner).post(ONBOARDING)
        assert answer.status_code == 403
        assert "Confirm your email first" in answer.json()["message"]
        assert not ConnectAccount.objects.filter(restaurant=newcomer.restaurant).exists()

    def test_an_owner_gets_a_limited_number_of_links(self, api: Any, newcomer: Any) -> None:
        answers = [api(newcomer.owner).post(ONBOARDING).status_code for _ in range(21)]
        assert answers == [200] * 20 + [429]
        assert api(newcomer.outsider).post(DASHBOARD).status_code != 429


class TestDashboard:
    def test_the_link_opens_the_accounts_own_dashboard(
        self, api: Any, newcomer: Any, world: Any
    ) -> None:
        owner = api(newcomer.owner)
        owner.post(ONBOARDING)
        account = account_of(newcomer.restaurant).account_id
        world.stripe.control(onboard=account)
        page = httpx.get(url_of(owner.post(DASHBOARD)))
        assert account in page.text
        assert "Express dashboard" in page.text

    @pytest.mark.parametrize("begun", [False, True])
    def test_an_account_that_is_not_set_up_is_told_to_onboard_first(
        self, api: Any, newcomer: Any, begun: bool
    ) -> None:
        if begun:
            api(newcomer.owner).post(ONBOARDING)
        answer = api(newcomer.owner).post(DASHBOARD)
        assert answer.status_code == 409
        assert without_codes(answer.json()) == {
            "message": "Complete your Stripe setup first. The dashboard is available after that.",
            "errors": [],
            "needsOnboarding": True,
        }

    def test_a_processor_that_does_not_answer(self, api: Any, cast: Any, world: Any) -> None:
        world.stripe.control(http_fault={"kind": "500", "path_prefix": "/v1/accounts"})
        answer = api(cast.owner).post(DASHBOARD)
        assert (answer.status_code, answer.json()["message"]) == (503, NO_ANSWER)
        assert "needsOnboarding" not in answer.json()


def test_the_form_without_a_script_leads_to_the_processor_or_says_why_not(
    api: Any, newcomer: Any, world: Any
) -> None:
    owner = api(newcomer.owner)
    button = "/restaurant/payments/connect"
    led = owner.post(button)
    assert (led.status_code, "/setup/acct_" in led.headers["Location"]) == (302, True)
    world.stripe.control(http_fault={"kind": "500", "path_prefix": "/v1/account_links"})
    refused = owner.post(button)
    assert refused.headers["Location"] == "/restaurant/stripe-management"
    assert NO_ANSWER in owner.get("/restaurant/stripe-management").content.decode()


def test_the_page_states_the_fee_of_the_one_schedule(api: Any, cast: Any, settings: Any) -> None:
    page = "/restaurant/stripe-management"
    assert "4.9% + $0.30 per successful transaction" in api(cast.owner).get(page).content.decode()
    settings.PROCESSING_FEE_RATE = type(settings.PROCESSING_FEE_RATE)("2.90")
    assert "2.9% + $0.30 per successful" in api(cast.owner).get(page).content.decode()
    assert api(cast.manager).get(page).status_code == 403
    assert api().get(page).headers["Location"].startswith("/?next=")


def test_an_upgrade_goes_on_at_the_plans_since_there_is_nothing_to_check_out(
    api: Any, cast: Any, settings: Any, world: Any
) -> None:
    answer = api(cast.owner).post("/api/subscription/create-checkout-session")
    assert answer.json() == {"url": f"http://localhost:{settings.PUBLIC_PORT}/branded-setup"}
    assert calls(world) == {}
    assert api(cast.manager).post("/api/subscription/create-checkout-session").status_code == 403
