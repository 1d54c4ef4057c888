"""Ten thousand guesses at passwords, codes, and links are stopped, and lock nobody else out."""

from collections import Counter
from contextlib import suppress

import pytest
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.internal.flows import check_rate_limit
from django.core.exceptions import ValidationError
from django.test import RequestFactory

from apps.accounts.rate_limits import FAILED_SIGN_INS, LINKS_BY_ADDRESS, TooManyAttempts
from apps.accounts.services.sign_in import InvalidLogin, sign_in
from apps.preorders.core.links import order_for_token, order_token
from tests.accounts.conftest import App
from tests.factories import PASSWORD, PreOrderFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
GUESSES = 10_000
# After these, only the limit is asked, as the program does first, because a guess costs 5 ms here.
WHOLE_GUESSES = 300
BYSTANDER = "203.0.113.5"


def from_another_network(number):
    """A request as the guesser's next machine sends it; each has a network of its own."""
    return RequestFactory().post("/login", REMOTE_ADDR=f"2001:db8:{number:x}::1")


def gets_in(client, user, address=BYSTANDER, **more):
    sent = {"email": user.email, "password": PASSWORD} | more
    return client.post("/api/login", sent, REMOTE_ADDR=address).status_code == 200


def test_ten_passwords_of_ten_thousand_are_looked_at_and_the_owner_still_gets_in(api, cast):
    owners_browser = api()
    assert gets_in(owners_browser, cast.owner)
    owners_browser.cookies.pop("sessionid")
    outcomes: Counter[object] = Counter()
    for number in range(WHOLE_GUESSES):
        request = from_another_network(number)
        address = request.META["REMOTE_ADDR"]
        try:
            sign_in(
                request=request, email=cast.owner.email, password=f"guess {number}", address=address
            )
        except (InvalidLogin, TooManyAttempts) as refused:
            outcomes[type(refused)] += 1
    looked_at = FAILED_SIGN_INS.times
    assert outcomes == {InvalidLogin: looked_at, TooManyAttempts: WHOLE_GUESSES - looked_at}
    later = range(GUESSES - WHOLE_GUESSES)
    assert all(FAILED_SIGN_INS.is_reached(cast.owner.email) for _ in later)
    assert gets_in(owners_browser, cast.owner)
    assert gets_in(api(), cast.outsider)


def test_five_codes_of_ten_thousand_are_looked_at_and_nobody_else_is_locked_out(api, cast):
    """By somebody who knows the password, each from another network."""
    right = App(cast.owner).code()
    bystanders = App(cast.outsider)
    outcomes: Counter[object] = Counter()
    for number in range(WHOLE_GUESSES):
        code = f"{(int(right) + 1 + number) % 1_000_000:06}"
        with context.request_context(from_another_network(number)):
            form = AuthenticateForm(user=cast.owner, data={"code": code})
            assert not form.is_valid()
            outcomes[form.errors.as_data()["code"][0].code] += 1
    assert outcomes == {"incorrect_code": 5, "too_many_login_attempts": WHOLE_GUESSES - 5}
    with context.request_context(from_another_network(GUESSES)):
        for _ in range(GUESSES - WHOLE_GUESSES):
            with suppress(ValidationError):
                check_rate_limit(cast.owner)
                pytest.fail("a code was looked at")
    assert not gets_in(api(), cast.owner, code=right)  # for five minutes
    assert gets_in(api(), cast.outsider, code=bystanders.code())


def test_one_machine_tries_thirty_links_and_somebody_elses_still_works(api, run_tasks, mailoutbox):
    person = UserFactory(email="ann@example.test")
    api().post("/api/forgot-password", {"email": person.email})
    run_tasks()
    token = mailoutbox[-1].body.split("token=")[1].split()[0]
    guesser, validate = api(), "/api/validate-reset-token"
    for number in range(LINKS_BY_ADDRESS.times):
        answer = guesser.post(validate, {"token": f"{token[:-4]}{number:04}"})
        assert answer.json() == {"valid": False}
    for path, sent in (
        (validate, {"token": token}),
        ("/api/reset-password", {"token": token, "password": "sage-and-thyme-7"}),
        ("/api/verify-email-confirmation", {"token": "x" * 43, "email": person.email}),
        (f"/api/invitations/{'x' * 43}", {}),
    ):
        assert guesser.post(path, sent).status_code == 429, path
    later = range(GUESSES - LINKS_BY_ADDRESS.times)
    assert all(LINKS_BY_ADDRESS.is_reached("127.0.0.1") for _ in later)
    answer = api().post(validate, {"token": token}, REMOTE_ADDR=BYSTANDER)
    assert answer.json() == {"valid": True}


def test_guessed_order_links_lead_nowhere_and_cost_no_query(platform, django_assert_num_queries):
    token = order_token(PreOrderFactory())
    facts, signature = token.rsplit(".", 1) if "." in token else token.rsplit(":", 1)
    end = token[len(facts)]
    with django_assert_num_queries(0):
        for number in range(GUESSES):
            forged = f"{number:x}".rjust(len(signature), signature[0])
            assert order_for_token(f"{facts}{end}{forged}") is None
    assert order_for_token(token) is not None
