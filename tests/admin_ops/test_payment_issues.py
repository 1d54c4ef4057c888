"""Payment issues: staff see what needs a person, and lift a pause, give up, or close an issue."""

import re
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
import stripe as stripe_api
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command

from apps.billing import stripe_gateway
from apps.billing.gateway import Declined, Refused
from apps.billing.models import Discrepancy
from apps.preorders.settlement.reconciliation import reconcile
from apps.preorders.settlement.steps import capture
from tests.factories import StaffFactory

PAGE = "/staff/payment-issues"


def refuse(monkeypatch, error):
    def refused(*_, **__):
        raise error("no")

    for name in ("capture", "charge_off_session"):
        monkeypatch.setattr(stripe_gateway, name, refused)


@pytest.fixture
def paused(world, monkeypatch):
    """A special whose captures paused; nobody declines anymore."""
    monkeypatch.setattr(capture, "PAUSE_AFTER_DECLINES", 2)
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(4)]
    with monkeypatch.context() as patched:
        refuse(patched, partial(Declined, "card_declined"))
        world.settle(offer)
    waiting = [order for order in orders if world.fresh(order).payment_status == "authorized"]
    assert len(waiting) == 2
    # The first whose charge was declined too many; the pause then held the other back.
    return sorted(
        waiting, key=lambda order: not Discrepancy.objects.filter(pre_order=order).exists()
    )


@pytest.fixture
def staff(api):
    return api(StaffFactory(email="staff@platform.test"))


def issue(order, kind="paused"):
    return Discrepancy.objects.get(pre_order=order, kind=kind, resolved_at=None)


def test_a_paused_batch_continues_at_once_when_staff_say_so(world, paused, staff):
    assert "Captures paused" in staff.get(PAGE).content.decode()
    answer = staff.upload(PAGE, {"issue": issue(paused[0]).pk, "action": "continue"})
    assert answer.status_code == 302
    world.work()
    assert {world.fresh(order).payment_status for order in paused} == {"captured"}


def test_a_charge_that_is_given_up_releases_the_hold_and_cancels_the_order(world, paused, staff):
    given_up, other = paused
    staff.upload(PAGE, {"issue": issue(given_up).pk, "action": "give_up"})
    world.work()
    order = world.fresh(given_up)
    assert (order.payment_status, order.status) == ("released", "cancelled")
    assert stripe_api.PaymentIntent.retrieve(order.payment_intent_id).status == "canceled"
    assert world.emails(order).count("released") == 1
    assert world.operation(order).error == "given_up"
    assert world.fresh(other).payment_status == "authorized"


def test_a_refused_charge_is_tried_again_when_staff_say_so(world, staff, monkeypatch):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    with monkeypatch.context() as patched:
        refuse(patched, partial(Refused, "account_invalid"))
        world.settle(offer)
    assert world.fresh(order).payment_status == "authorized"
    staff.upload(PAGE, {"issue": issue(order, "refused").pk, "action": "continue"})
    world.work()
    assert world.fresh(order).payment_status == "captured"


def test_an_issue_is_closed_with_a_word_about_what_was_done(world, paused, staff):
    row = issue(paused[0])
    refused = staff.upload(PAGE, {"issue": row.pk, "action": "resolve"})
    assert refused.status_code == 409
    assert "Describe what you did" in refused.content.decode()
    assert Discrepancy.objects.get(pk=row.pk).resolved_at is None
    paid = {"issue": row.pk, "action": "resolve", "resolution": "Called the bank"}
    staff.upload(PAGE, paid)
    row.refresh_from_db()
    assert row.resolved_at is not None
    assert row.resolution == "Called the bank"
    assert "already closed" in staff.upload(PAGE, paid).content.decode()


STAFF_PAGES = [
    "/platform-admin",
    "/platform/tenants",
    "/platform/disputes",
    PAGE,
    "/staff/status",
    "/staff/activity",
]


@pytest.mark.parametrize("path", STAFF_PAGES)
def test_staff_pages_lead_to_each_other_and_do_not_ask_to_sign_in(db, staff, path):
    page = staff.get(path).content.decode()
    for other in STAFF_PAGES:
        assert f'href="{other}"' in page
    assert f'href="{path}" aria-current="page"' in page
    assert "Sign in" not in page
    assert "Back to Dashboard" not in page


def test_an_empty_list_says_so(world, staff):
    assert "No payment issues" in staff.get(PAGE).content.decode()


def test_the_page_says_how_the_comparison_with_stripe_is_doing(world, paused, staff):
    page = staff.get(PAGE).content.decode()
    assert "Comparison with Stripe" in page
    assert "<dt>Last complete read</dt><dd>Not yet</dd>" in page
    assert "<dt>Open differences</dt><dd>1</dd>" in page
    reconcile(now=world.now)
    assert f'datetime="{world.now.isoformat()}"' in staff.get(PAGE).content.decode()


@pytest.mark.parametrize("body", [{}, {"issue": "x", "action": "resolve"}, {"issue": "1"}])
def test_bad_input_changes_nothing(world, paused, staff, body):
    assert staff.upload(PAGE, body).status_code == 409
    assert Discrepancy.objects.filter(resolved_at=None).count() == 1


@pytest.mark.parametrize("who", ["owner", "stranger"])
def test_the_page_is_for_staff_only(api, cast, who):
    answer = api(getattr(cast, who)).get(PAGE)
    assert answer.status_code == 403


def test_staff_without_a_second_factor_are_refused(api, cast):
    Authenticator.objects.filter(user=cast.staff).delete()
    assert api(cast.staff).get(PAGE).status_code == 403


def test_visitors_are_asked_to_sign_in(api, db):
    assert api().get(PAGE).status_code == 302


# --- the command ----------------------------------------------------------------------------------
def run(*args, **options):
    out = StringIO()
    call_command("payment_issues", *args, stdout=out, **options)
    return out.getvalue()


def test_the_command_lists_continues_and_closes(world, paused):
    row = issue(paused[0])
    assert f"{row.pk}  " in run()
    assert "order " + paused[0].code in run()
    assert run("continue", row.pk, by="Maria") == "Payments that continue: 2\n"
    world.work()
    assert {world.fresh(order).payment_status for order in paused} == {"captured"}
    assert run("resolve", row.pk, by="Maria", resolution="Looked") == "The issue is closed.\n"


def test_the_command_refuses_what_cannot_be(world, paused):
    with pytest.raises(CommandError, match="--by"):
        run("resolve", issue(paused[0]).pk)
    with pytest.raises(CommandError, match="find that payment issue"):
        run("resolve", 999_999, by="Maria", resolution="x")
    with pytest.raises(CommandError, match="Describe what you did"):
        run("resolve", issue(paused[0]).pk, by="Maria")


def test_every_kind_of_issue_has_its_section_in_the_operators_handbook():
    handbook = (Path(__file__).parents[2] / "docs/operations.md").read_text()
    sections = re.findall(r"^### Issue: (\w+)$", handbook, re.M)
    assert sorted(sections) == sorted(Discrepancy.Kind.values)
    assert Discrepancy(kind="balance").runbook.endswith("#issue-balance")
