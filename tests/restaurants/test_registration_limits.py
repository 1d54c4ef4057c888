"""Every way to register has the bot check, and tells strangers little (X41, X42, X72)."""

from datetime import timedelta

import pytest
from django.core import mail

from apps.accounts import bot_check
from apps.accounts.models import User
from apps.accounts.rate_limits import KNOWN_EMAILS_BY_ADDRESS, REGISTRATION_UNSIGNED
from apps.common.emails import MAX_NAME_IN_SUBJECT, name_in_subject
from apps.restaurants.models import FormerAddress, Invitation, Restaurant
from apps.restaurants.services import team
from tests.factories import MembershipFactory, RestaurantFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]
FORM = {"name": "Bella Roma", "email": "bella@roma.test", "password": "basil-and-lemon-9"}
BUSINESS = {
    **FORM,
    "tenantSlug": "bella-group",
    "tenantName": "Bella Group",
    "subdomain": "bella",
    "restaurantName": "Bella Napoli",
    "streetAddress": "1 Via Roma",
    "city": "Naples",
    "phone": "+1 239 555 0100",
    "hasAgreedToTerms": True,
}
WAYS = [("/api/register", FORM), ("/api/multi-tenant/register", BUSINESS)]
every_way = pytest.mark.parametrize(("path", "form"), WAYS)


@pytest.fixture
def hcaptcha(settings, monkeypatch):
    """hCaptcha that accepts the token `good`."""
    settings.HCAPTCHA_SITE_KEY, settings.HCAPTCHA_SECRET_KEY = "site", "secret"
    monkeypatch.setattr(bot_check, "_ask_provider", lambda token, address: token == "good")


@every_way
@pytest.mark.parametrize("token", ["", "bad"])
def test_without_a_passed_check_nobody_registers(api, hcaptcha, path, form, token):
    answer = api().post(path, form | {"hcaptchaToken": token})
    assert answer.status_code == 400
    assert answer.json()["message"] == "Security Check Failed"
    assert not User.objects.exists()
    assert not Restaurant.objects.exists()


@every_way
def test_with_a_passed_check_a_person_registers(api, hcaptcha, path, form):
    assert api().post(path, form | {"hcaptchaToken": "good"}).status_code == 201


@every_way
@pytest.mark.parametrize("field", [{"website": "https://cheap.test"}, {"startedAt": "1:forged"}])
def test_what_only_a_program_sends_is_refused(api, path, form, field):
    answer = api().post(path, form | field)
    assert (answer.status_code, answer.json()["message"]) == (400, "Security Check Failed")
    assert not User.objects.exists()


@every_way
def test_a_form_sent_sooner_than_a_person_could_is_refused(api, clock, path, form):
    started = bot_check.started_at(now=clock.now - timedelta(seconds=1))
    assert api().post(path, form | {"startedAt": started}).status_code == 400
    clock.advance(seconds=2)
    assert api().post(path, form | {"startedAt": started}).status_code == 201


@every_way
def test_a_program_registers_only_so_often(api, path, form):
    for number in range(REGISTRATION_UNSIGNED.times):
        api().post(path, form | {"email": f"n{number}@x.test", "tenantSlug": f"slug-{number}"})
    answer = api().post(path, form | {"tenantSlug": "another"})
    assert answer.status_code == 429


def test_an_account_adds_a_restaurant_without_a_check(api, cast, hcaptcha):
    assert api(cast.owner).post("/api/multi-tenant/register", BUSINESS).status_code == 201


# --- what an answer tells -------------------------------------------------------------------------
@pytest.mark.parametrize("taken", [{"tenantSlug": "taken"}, {"subdomain": "taken"}])
def test_a_taken_address_answers_the_same_whether_or_not_the_email_is_known(api, taken):
    RestaurantFactory(slug="taken", subdomain="taken")
    UserFactory(email="known@x.test")
    answers = [
        api().post("/api/multi-tenant/register", BUSINESS | taken | {"email": email})
        for email in ("known@x.test", "unknown@x.test")
    ]
    assert {each.status_code for each in answers} == {409}
    assert answers[0].json() == answers[1].json()
    assert [each["field"] for each in answers[0].json()["errors"]] == list(taken)


@every_way
def test_the_owner_of_a_known_email_is_told(api, run_tasks, path, form):
    UserFactory(email="bella@roma.test")
    answer = api().post(path, form)
    assert (answer.status_code, answer.json()["message"]) == (409, "Email Already Registered")
    run_tasks()
    (email,) = mail.outbox
    assert email.to == ["bella@roma.test"]
    assert not Restaurant.objects.exists()


@every_way
def test_a_known_email_costs_as_much_as_an_unknown_one(api, monkeypatch, path, form):
    hashed = []
    real = User.set_password

    def set_password(user, raw):
        hashed.append(raw)
        real(user, raw)

    monkeypatch.setattr(User, "set_password", set_password)
    UserFactory(email="bella@roma.test")
    hashed.clear()
    api().post(path, form)
    assert hashed == [form["password"]]


@every_way
def test_one_machine_finds_only_a_few_known_emails(api, path, form):
    for number in range(KNOWN_EMAILS_BY_ADDRESS.times):
        UserFactory(email=f"known{number}@x.test")
        answer = api().post(path, form | {"email": f"known{number}@x.test"})
        assert answer.status_code == 409
    UserFactory(email="one-more@x.test")
    for email in ("one-more@x.test", "nobody@x.test"):
        assert api().post(path, form | {"email": email}).status_code == 429
    elsewhere = api().post(path, form, REMOTE_ADDR="198.51.100.7")
    assert elsewhere.status_code == 201


# --- invitations ----------------------------------------------------------------------------------
def invite(client, email="nina@example.test", **extra):
    return client.post("/api/team/invitations", {"email": email, "role": "manager"}, **extra)


def test_nobody_is_invited_before_an_owner_confirmed_their_email(api, run_tasks):
    client = api()
    client.post("/api/register", FORM)
    mail.outbox.clear()
    answer = invite(client)
    assert answer.status_code == 403
    assert answer.json()["message"].startswith("Confirm your email first")
    run_tasks()
    assert [each.to for each in mail.outbox] == [["bella@roma.test"]]  # its own confirmation
    assert not Invitation.objects.exists()


def test_invitations_are_counted_by_account_over_all_its_restaurants(api, cast):
    for _ in range(team.INVITATIONS_BY_ACCOUNT.times):
        team.INVITATIONS_BY_ACCOUNT.record(str(cast.owner.pk))
    second = RestaurantFactory()
    MembershipFactory(user=cast.owner, restaurant=second, role="owner")
    named = {"HTTP_X_RESTAURANT": str(second.pk)}
    assert invite(api(cast.owner), **named).status_code == 429
    assert invite(api(cast.outsider)).status_code == 201


def test_invitations_are_counted_by_ip_address_over_all_accounts(api, cast):
    for _ in range(team.INVITATIONS_BY_ADDRESS.times):
        team.INVITATIONS_BY_ADDRESS.record("127.0.0.1")
    assert invite(api(cast.owner)).status_code == 429
    assert invite(api(cast.owner), REMOTE_ADDR="198.51.100.7").status_code == 201


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Luigi's", "Luigi's"),
        ("St. John", "St. John"),
        ("Won! https://evil.test/prize now", "Won! evil test prize now"),
        ("www.evil.test", "evil test"),
        ("evil.co.uk/login", "evil co uk login"),
        ("ann@evil.test", "ann evil test"),
        ("a\r\nBcc: b", "a Bcc: b"),
        ("x" * 80, "x" * (MAX_NAME_IN_SUBJECT - 1) + "…"),
    ],
)
def test_a_name_in_a_subject_carries_no_link_and_is_short(name, shown):
    assert name_in_subject(name) == shown


def test_an_invitation_carries_no_message_of_its_sender(api, cast, run_tasks):
    type(cast.owner).objects.filter(pk=cast.owner.pk).update(name="Claim it: https://evil.test/x")
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(name="Prize at www.evil.test " * 5)
    assert invite(api(cast.owner)).status_code == 201
    run_tasks()
    (email,) = mail.outbox
    assert len(email.subject) <= 2 * MAX_NAME_IN_SUBJECT + len(" invited you to ")
    assert "evil.test" not in email.subject
    assert "evil.test" not in str(email.body)


# --- web addresses --------------------------------------------------------------------------------
def put(client, subdomain, **extra):
    body = {"subdomain": subdomain, "email": "owner@luigis.test"}
    return client.put("/api/restaurant/subdomain", body, **extra)


def test_a_restaurant_keeps_only_a_few_former_addresses_from_others(api, cast, clock):
    client = api(cast.owner)
    for name in ("first-one", "second-one", "third-one"):
        assert put(client, name).status_code == 200
    refused = put(client, "fourth-one")
    assert refused.status_code == 409
    assert refused.json()["errors"][0]["field"] == "subdomain"
    assert "3 times in the last 30 days" in refused.json()["message"]
    assert FormerAddress.objects.count() == 3
    assert put(client, "second-one").status_code == 200  # going back gives one up
    clock.advance(days=31)
    assert put(client, "fourth-one").status_code == 200


def test_one_machine_changes_addresses_only_so_often(api, cast):
    client = api(cast.owner)
    answers = [put(client, "www").status_code for _ in range(31)]
    assert answers == [400] * 30 + [429]
