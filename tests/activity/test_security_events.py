"""What the log says about an account: sign-ins, failures, and changes of how to sign in."""

import pytest
from allauth.account import signals as account_signals
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount import signals as social_signals
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.test import RequestFactory

from apps.accounts import receivers
from apps.accounts.services import issue_token
from apps.accounts.services.accounts import create_account
from apps.accounts.services.passwords import reset_token
from apps.accounts.tasks import send_password_reset_email
from tests.conftest import NOON
from tests.factories import PASSWORD, StaffFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def person():
    return UserFactory(email="ann@example.test", name="Ann")


def log_in(client, submit, password=PASSWORD, agent=FIREFOX):
    client.defaults["HTTP_USER_AGENT"] = agent
    client.defaults["REMOTE_ADDR"] = "203.0.113.77"
    return submit(client, "/login", email="ann@example.test", password=password)


def test_a_sign_in_names_the_device_and_a_truncated_address(api, submit, person, events):
    answer = log_in(api(), submit)
    [event] = events("signed_in")
    assert (event.outcome, event.actor_kind, event.actor_id, event.account_id) == (
        "success",
        "account",
        person.pk,
        person.pk,
    )
    assert (event.device, event.address) == ("Firefox on Windows", "203.0.113.0/24")
    assert event.details == {"method": "password"}
    assert event.request_id == answer.headers["X-Request-ID"]
    assert event.restaurant_id is None


def test_a_new_device_is_logged_and_its_owner_emailed_once(api, submit, person, events, emails):
    known = api()
    log_in(known, submit)
    log_in(api(), submit)  # the same browser and network, without its cookie
    assert emails.subjects() == []
    log_in(api(), submit, agent=SAFARI)
    log_in(api(), submit, agent=SAFARI)
    assert [each.kind for each in events()] == [
        "signed_in",
        "signed_in",
        "new_device",
        "signed_in",
    ]
    assert emails.subjects() == ["New sign-in to your Fully Booked account"]
    assert emails.last().to == ["ann@example.test"]
    assert "Device: Safari on iPhone\nWhen: Mon, Mar 22, 4:00 PM UTC\n" in emails.last().body


def test_wrong_passwords_are_counted_and_the_pause_is_logged(api, submit, person, events):
    client = api()
    for _ in range(12):
        log_in(client, submit, password="wrong-password")
    rows = [(each.kind, each.outcome, each.details.get("count")) for each in events()]
    assert rows == [
        ("sign_in_failed", "failure", 1),
        ("sign_in_failed", "failure", 10),
        ("locked_out", "refused", 1),
        ("rate_limited", "refused", 1),
    ]
    assert events("sign_in_failed")[0].account_id == person.pk
    assert events("sign_in_failed")[0].actor_id is None
    assert events("rate_limited")[0].details["limit"] == "failed-sign-in"


def test_an_unknown_email_is_logged_without_it(api, submit, events):
    submit(api(), "/login", email="nobody@example.test", password="wrong-password")
    [event] = events()
    assert (event.kind, event.account_id, event.details) == ("sign_in_failed", None, {"count": 1})


def test_second_factors_are_logged(api, submit, person, app_of, events):
    app = app_of(person)
    wrong = f"{(int(app.code()) + 500_000) % 1_000_000:06}"
    api().post("/api/login", {"email": person.email, "password": PASSWORD, "code": wrong})
    assert [each.account_id for each in events("second_factor_failed")] == [person.pk]
    request = RequestFactory().get("/")
    request.user, request.session = person, api(person).session
    receivers.log_second_factor(None, user=person, authenticator=app.row.instance)
    [added] = events("second_factor_added")
    assert added.details == {"type": "totp"}


def test_factors_are_logged_from_the_pages_that_change_them(
    api, submit, person, app_of, events, run_tasks
):
    EmailAddress.objects.update_or_create(
        user=person, email=person.email, defaults={"verified": True, "primary": True}
    )
    app = app_of(person)
    client = api(person)
    submit(client, "/account/two-factor/reauthenticate/", code=app.code())
    submit(client, "/account/two-factor/recovery-codes/generate/")
    run_tasks()  # django-allauth tells after its commit
    assert [each.details for each in events("recovery_codes_created")] == [
        {"type": "recovery_codes"}
    ]
    submit(client, "/account/two-factor/totp/deactivate/")
    run_tasks()
    assert {each.details["type"] for each in events("second_factor_removed")} >= {"totp"}
    assert not Authenticator.objects.filter(user=person, type="totp").exists()


def test_a_changed_password_ends_tokens_and_both_are_logged(api, submit, person, events):
    issue_token(user=person, now=NOON)
    client = api(person)
    new = {"password": "a-new-password-1", "currentPassword": "wrong"}
    assert client.put("/api/restaurant/password", new).status_code == 400
    new["currentPassword"] = PASSWORD
    assert client.put("/api/restaurant/password", new).status_code == 200
    assert [each.kind for each in events()] == [
        "token_created",
        "confirmation_failed",
        "tokens_revoked",
        "password_changed",
    ]


def test_a_reset_by_email_is_logged_when_asked_for_and_when_used(api, person, events):
    send_password_reset_email(person.email)
    sent = {"token": reset_token(person), "password": "a-new-password-1"}
    assert api().post("/api/reset-password", sent).status_code == 200
    found = [each.kind for each in events()]
    assert found[:2] == ["password_reset_sent", "password_reset"]
    assert {each.actor_kind for each in events("password_reset_sent", "password_reset")} == {
        "guest"
    }


def test_tokens_are_logged_with_the_first_use_from_each_network(api, person, events, clock):
    token = issue_token(user=person, now=NOON, scope="read")
    for address in ("203.0.113.77", "203.0.113.78", "198.51.100.9", "198.51.100.10"):
        clock.advance(minutes=2)
        headers = {"HTTP_AUTHORIZATION": f"Bearer {token}", "REMOTE_ADDR": address}
        assert api().get("/api/tokens", **headers).status_code == 200
    rows = [(each.kind, each.address) for each in events()]
    assert rows == [
        ("token_created", ""),
        ("token_at_new_address", "203.0.113.0/24"),
        ("token_at_new_address", "198.51.100.0/24"),
    ]
    assert events("token_created")[0].details == {"scope": "read"}
    assert len({(each.object_kind, each.object_id) for each in events()}) == 1


def test_a_token_can_be_revoked_and_sessions_end(api, submit, person, events):
    issue_token(user=person, now=NOON)
    client, other = api(), api()
    log_in(client, submit)
    log_in(other, submit)
    client.get("/account")
    [row] = person.bearer_tokens.all()
    submit(client, f"/account/tokens/{row.public_id}")
    [other_session] = person.usersession_set.exclude(session_key=client.session.session_key)
    submit(client, f"/account/sessions/{other_session.pk}")
    submit(client, "/account/sessions")
    submit(client, "/logout")
    kinds = [each.kind for each in events()][3:]
    assert kinds == ["token_revoked", "session_ended", "sessions_ended", "signed_out"]


def test_accounts_and_their_emails_are_logged(api, submit, events):
    user = create_account(email="new@example.test", name="New", password=PASSWORD, confirmed=False)
    staff = create_account(
        email="boss@example.test", name="Boss", password=PASSWORD, confirmed=True, role="admin"
    )
    assert [
        (each.actor_kind, each.actor_id, each.details) for each in events("account_created")
    ] == [
        ("account", user.pk, {"role": "user"}),
        ("system", None, {"role": "admin"}),
    ]
    assert staff.is_staff
    submit(api(user), "/account/email", email="newer@example.test", action_add="1")
    assert [each.account_id for each in events("email_changed")] == [user.pk]
    address = EmailAddress.objects.get(user=user)
    account_signals.email_confirmed.send(sender=None, request=None, email_address=address)
    assert [each.account_id for each in events("email_confirmed")] == [user.pk]


def test_other_sites_accounts_are_logged(person, events):
    account = SocialAccount(user=person, provider="google", uid="1")
    login = SocialLogin(user=person, account=account)
    social_signals.social_account_added.send(sender=None, request=None, sociallogin=login)
    social_signals.social_account_removed.send(sender=None, request=None, socialaccount=account)
    rows = [(each.kind, each.account_id, each.details) for each in events()]
    assert rows == [
        ("social_account_added", person.pk, {"provider": "google"}),
        ("social_account_removed", person.pk, {"provider": "google"}),
    ]


def test_a_wrong_password_where_it_is_asked_again_is_logged(api, submit, person, events):
    client = api(person, signed_in_ago=3600)
    submit(client, "/account/again", password="wrong-password")
    assert [each.account_id for each in events("confirmation_failed")] == [person.pk]


def test_a_person_sees_their_own_events_and_nobody_elses(api, submit, person, clock):
    other = UserFactory(email="bob@example.test")
    issue_token(user=other, now=NOON)
    client = api()
    log_in(client, submit)
    page = client.get("/account").content.decode()
    assert "Recent activity" in page
    assert page.count("Signed in<") + page.count("Signed in ") >= 1
    assert "203.0.113.0/24" in page
    assert "API token created" not in page
    for _ in range(12):
        clock.advance(minutes=1)
        issue_token(user=person, now=clock.now)
    first = client.get("/account").content.decode()
    assert first.count("API token created") == 10
    older = first.split('href="?activity=')[1].split("#")[0]
    assert client.get(f"/account?activity={older}").content.decode().count("API token created") == 2


def test_the_account_page_opens_with_a_cursor_that_means_nothing(api, person):
    assert api(person).get("/account?activity=nonsense").status_code == 200


def test_staff_see_who_visits_restaurants_and_so_does_its_owner(api, cast, events):
    staff = StaffFactory(email="second@platform.test")
    client = api(staff)
    for _ in range(3):
        assert client.get(f"/api/orders?restaurant={cast.restaurant.pk}").status_code == 200
    [visit] = events("staff_visited")
    assert (visit.restaurant_id, visit.actor_kind, visit.actor_id) == (
        cast.restaurant.pk,
        "staff",
        staff.pk,
    )
    page = api(cast.owner).get("/restaurant/activity").content.decode()
    assert "Fully Booked staff viewed the restaurant" in page
    assert staff.name not in page


def test_an_action_that_a_member_has_no_permission_for_is_logged_once_in_a_while(api, cast, events):
    client = api(cast.kitchen)
    for _ in range(12):
        assert client.get("/api/ledger").status_code == 403
    rows = [(each.account_id, each.restaurant_id, each.details) for each in events()]
    where = {"route": "GET:/api/ledger"}
    assert rows == [
        (cast.kitchen.pk, cast.restaurant.pk, where | {"count": count}) for count in (1, 10)
    ]
    assert {each.kind for each in events()} == {"permission_refused"}
    assert api().get("/api/ledger").status_code == 401
    assert len(events()) == 2


def test_tokens_and_links_that_are_not_ours_are_logged_once_in_a_while(api, events):
    for _ in range(12):
        assert api().get("/api/ledger", HTTP_AUTHORIZATION="Bearer guessed").status_code == 401
    assert api().get("/order/guessed").status_code == 404

    assert [(each.kind, each.outcome, each.details) for each in events()] == [
        ("forgery_refused", "refused", {"what": what, "route": route, "count": count})
        for what, route, count in (
            ("token", "GET:/api/ledger", 1),
            ("token", "GET:/api/ledger", 10),
            ("link", "GET:/order/<str:token>", 1),
        )
    ]


def test_a_request_without_any_token_is_not_a_forgery(api, events):
    assert api().get("/api/ledger").status_code == 401
    assert api().get("/find-order").status_code == 200
    assert events() == []
