"""The owner's payouts page: what comes next, what was paid, and what to do about a failed
payout."""

from datetime import timedelta
from decimal import Decimal

import pytest

from apps.billing.models import ConnectAccount, Payout, PayoutEntry
from apps.common import rls

PATH = "/restaurant/payouts"


def page(client, **query):
    answer = client.get(PATH, query)
    assert answer.status_code == 200
    return answer.content.decode()


def a_payout(restaurant, now, **facts):
    with rls.acting_as(rls.PLATFORM):
        return Payout.objects.create(
            **{
                "restaurant": restaurant,
                "amount": Decimal("47.44"),
                "currency": "usd",
                "status": "failed",
                "payout_id": "po_1",
                "failure_code": "account_closed",
                "created_at": now,
                **facts,
            }
        )


def test_an_empty_page_says_what_will_be_there(api, cast):
    text = page(api(cast.owner))
    assert "No payouts coming up." in text
    assert "No payouts yet." in text
    assert "2 days after its serve date" in text


def test_a_new_restaurant_reads_its_limit(api, cast):
    assert "guests can pre-order up to $5,000.00 in all" in page(api(cast.owner))


def test_a_failed_payout_says_why_and_what_to_do(api, cast, clock):
    payout = a_payout(cast.restaurant, clock.now)
    client = api(cast.owner)
    text = page(client)
    assert "Sent back by your bank" in text
    assert "The bank account is closed. Update your bank account in the Stripe Dashboard" in text
    answer = client.post(f"{PATH}/{payout.pk}/retry")
    assert (answer.status_code, answer.url) == (302, PATH)
    with rls.acting_as(rls.PLATFORM):
        payout.refresh_from_db()
    assert (payout.status, payout.attempt, payout.due_at) == ("pending", 2, clock.now)
    assert "We&#x27;ll try the payout again now." in page(client)


@pytest.mark.parametrize("status", ["pending", "sent", "paid"])
def test_a_payout_that_did_not_fail_has_no_button_and_is_not_retried(api, cast, clock, status):
    payout = a_payout(
        cast.restaurant, clock.now, status=status, failure_code="", arrives_on=clock.now.date()
    )
    client = api(cast.owner)
    assert "Try payout again" not in page(client)
    client.post(f"{PATH}/{payout.pk}/retry")
    with rls.acting_as(rls.PLATFORM):
        payout.refresh_from_db()
    assert (payout.status, payout.attempt) == (status, 1)


def test_retries_are_limited(api, cast, clock):
    payout = a_payout(cast.restaurant, clock.now)
    client = api(cast.owner)
    for _ in range(6):
        client.post(f"{PATH}/{payout.pk}/retry")
        with rls.acting_as(rls.PLATFORM):
            attempts = Payout.objects.get(pk=payout.pk).attempt
            Payout.objects.filter(pk=payout.pk).update(status="failed")
    assert attempts == 6  # the first and five retries


def test_somebody_else_s_payout_is_neither_shown_nor_retried(api, cast, clock):
    payout = a_payout(cast.restaurant, clock.now)
    client = api(cast.outsider)
    assert "47.44" not in page(client)
    client.post(f"{PATH}/{payout.pk}/retry")
    with rls.acting_as(rls.PLATFORM):
        assert Payout.objects.get(pk=payout.pk).status == "failed"


@pytest.mark.parametrize("who", ["manager", "kitchen"])
def test_only_owners_see_the_page(api, cast, clock, who):
    payout = a_payout(cast.restaurant, clock.now)
    client = api(getattr(cast, who))
    assert client.get(PATH).status_code == 403
    assert client.post(f"{PATH}/{payout.pk}/retry").status_code == 403


def test_visitors_sign_in_first(api, cast):
    answer = api().get(PATH)
    assert answer.status_code == 302
    assert "/login" in answer.url


def test_a_negative_balance_and_a_restricted_account_are_told(api, cast, clock):
    with rls.acting_as(rls.PLATFORM):
        ConnectAccount.objects.filter(restaurant=cast.restaurant).update(
            available_balance=Decimal("-20.00"),
            pending_balance=Decimal("10.85"),
            payouts_enabled=False,
        )
    text = page(api(cast.owner))
    assert "Your Stripe balance is $9.15 below zero." in text
    assert "Stripe can&#x27;t send you payouts yet." in text or (
        "Stripe can't send you payouts yet." in text
    )


def test_without_an_account_nothing_is_said_of_payouts_that_wait(api, cast, clock):
    with rls.acting_as(rls.PLATFORM):
        ConnectAccount.objects.filter(restaurant=cast.restaurant).delete()
    text = page(api(cast.owner))
    assert "send you payouts yet" not in text


def test_a_converted_account_says_so(api, cast, clock):
    with rls.acting_as(rls.PLATFORM):
        ConnectAccount.objects.filter(restaurant=cast.restaurant).update(currency="pln")
    assert "Guests pay in a different currency" in page(api(cast.owner))


def test_the_number_of_queries_does_not_grow_with_payouts(
    api, cast, clock, django_assert_max_num_queries
):
    client = api(cast.owner)
    page(client)
    for number in range(30):
        a_payout(
            cast.restaurant,
            clock.now - timedelta(days=number),
            payout_id=f"po_{number}",
            status="paid",
            failure_code="",
            arrives_on=clock.now.date(),
        )
    with django_assert_max_num_queries(25):
        page(client)
    with rls.acting_as(cast.restaurant):
        assert not PayoutEntry.objects.exists()
