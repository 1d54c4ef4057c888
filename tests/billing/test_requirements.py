"""What the processor asks for, as an owner reads it."""

import pytest

from apps.billing.models import ConnectAccount
from apps.billing.payment_setup import describe
from apps.billing.requirements import requirement_sentences


@pytest.mark.parametrize(
    ("requirement", "words"),
    [
        ("external_account", "A bank account or debit card for payouts"),
        ("tos_acceptance.ip", "Your acceptance of Stripe's terms of service"),
        ("individual.verification.document", "An ID document of the account owner"),
        (
            "person_1Ab2.verification.additional_document",
            "A second document that proves the address of someone at the business",
        ),
        ("company.tax_id", "The tax ID of the business"),
        ("representative.address.postal_code", "The address of the business's representative"),
        ("company.directors_provided",
         "Confirmation that all directors are listed for the business"),
        ("individual.something_new.of_theirs", "More information about the account owner "
         "(something new of theirs)"),
        ("interv_1abc.selfie", "An answer to a question from Stripe"),
        ("some.new_thing", "Information that Stripe calls “some new thing”"),
        ("", "Information that Stripe calls “”"),
    ],
)  # fmt: skip
def test_each_requirement_has_a_sentence(requirement, words):
    assert requirement_sentences([requirement]) == [words]


def test_parts_of_one_thing_are_said_once_in_their_order():
    parts = [
        "individual.dob.day",
        "external_account",
        "individual.dob.month",
        "individual.dob.year",
    ]
    assert requirement_sentences(parts) == [
        "The date of birth of the account owner",
        "A bank account or debit card for payouts",
    ]


def account(*, details=True, charges=False, payouts=False, **requirements):
    return ConnectAccount(
        account_id="acct_1",
        details_submitted=details,
        charges_enabled=charges,
        payouts_enabled=payouts,
        requirements=requirements,
    )


@pytest.mark.parametrize(
    ("given", "state", "action"),
    [
        (None, "not_connected", "onboarding"),
        (account(details=False), "in_progress", "onboarding"),
        (account(currently_due=["company.tax_id"]), "in_progress", "onboarding"),
        (account(charges=True, past_due=["external_account"]), "in_progress", "onboarding"),
        (account(pending_verification=["company.tax_id"]), "in_review", "dashboard"),
        (account(disabled_reason="under_review"), "in_review", "dashboard"),
        (account(disabled_reason="requirements.past_due"), "in_progress", "onboarding"),
        (account(disabled_reason="rejected.fraud"), "suspended", "dashboard"),
        (account(disabled_reason="platform_paused"), "suspended", "dashboard"),
        (account(charges=True, payouts=True), "complete", "dashboard"),
        (
            account(charges=True, payouts=True, eventually_due=["company.tax_id"]),
            "complete",
            "dashboard",
        ),
        (account(details=False, charges=True, payouts=True), "in_progress", "onboarding"),
    ],
)
def test_where_the_setup_stands_and_what_fixes_it(given, state, action):
    setup = describe(given, country="US")
    assert (setup.state, setup.action) == (state, action)
    assert setup.takes_orders == (given is not None and given.charges_enabled)
    assert setup.sentence.endswith(".")


def test_what_is_asked_for_now_is_not_said_again_for_later():
    setup = describe(
        account(
            currently_due=["external_account"],
            eventually_due=["external_account", "company.tax_id"],
        ),
        country="US",
    )
    assert setup.todo == ["A bank account or debit card for payouts"]
    assert setup.later == ["The tax ID of the business"]


@pytest.mark.parametrize(("country", "name"), [("AR", "Argentina"), ("Iceland", "Iceland")])
def test_a_country_that_stripe_does_not_serve_leads_nowhere_and_says_so(country, name):
    setup = describe(None, country=country)
    assert (setup.state, setup.action) == ("unavailable", "none")
    assert f"can't pay restaurants in {name} yet" in setup.sentence


@pytest.mark.parametrize("country", ["", "US", "Portugal", "jp"])
def test_a_country_that_stripe_serves_leads_to_stripe(country):
    assert describe(None, country=country).state == "not_connected"
