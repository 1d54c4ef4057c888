"""Stripe's webhooks: accepted only if Stripe signed them, stored before they are answered, and
processed once."""

import json
import time

import pytest
import stripe
from django.core.management import call_command
from djstripe.models import (
    Account,
    Customer,
    Event,
    PaymentIntent,
    PaymentMethod,
    WebhookEndpoint,
    WebhookEventTrigger,
)
from local_stripe.webhooks import signature

from apps.activity.models import LoggedEvent
from apps.billing import tasks
from apps.billing.models import ConnectAccount, ProcessedEvent
from apps.common import rls
from tests.factories import MembershipFactory, UserFactory


@pytest.fixture
def endpoint(world):
    call_command("connect_stripe", verbosity=0)
    rows = {row.id: row for row in WebhookEndpoint.objects.all()}
    assert rows
    return next(row for row in rows.values() if row.secret)


@pytest.fixture
def event(world, endpoint):
    """One of Stripe's own events, as it would be delivered."""
    offer = world.offer()
    order = world.begin(offer)
    world.pay(order)
    return json.dumps(
        {
            "id": "evt_held",
            "object": "event",
            "api_version": "2025-01-01.basil",
            "created": int(time.time()),
            "data": {"object": world.intents(order)[0].to_dict()},
            "livemode": False,
            "pending_webhooks": 1,
            "request": {"id": None, "idempotency_key": None},
            "type": "payment_intent.amount_capturable_updated",
        },
        default=str,
    )


def deliver(api, endpoint, body, *, secret=None, moment=None, **headers):
    signed = signature(secret or endpoint.secret, body, moment or int(time.time()))
    return api().generic(
        "POST",
        f"/stripe/webhook/{endpoint.djstripe_uuid}",
        body,
        "application/json",
        headers={"Stripe-Signature": signed, **headers},
    )


def test_a_signed_event_is_stored_and_handed_on(api, endpoint, event, run_tasks):
    answer = deliver(api, endpoint, event)
    assert (answer.status_code, answer.content) == (200, b"recorded")
    trigger = WebhookEventTrigger.objects.get()
    assert trigger.valid
    assert not trigger.processed
    done = run_tasks()
    assert done == ["billing.process_webhook", "preorders.apply_payment_intent", *done[2:]]
    assert WebhookEventTrigger.objects.get().processed
    assert ProcessedEvent.objects.get().stripe_event_id == "evt_held"


@pytest.mark.django_db(transaction=True)
def test_an_endpoint_that_was_deleted_a_moment_ago_is_not_found(api, endpoint, event, run_tasks):
    assert deliver(api, endpoint, event).status_code == 200
    WebhookEventTrigger.objects.all().delete()
    WebhookEndpoint.objects.filter(pk=endpoint.pk).delete()

    assert deliver(api, endpoint, event.replace("evt_held", "evt_later")).status_code == 404
    assert WebhookEventTrigger.objects.count() == 0


def test_the_same_event_three_times_is_acted_on_once(api, endpoint, event, run_tasks):
    for _ in range(3):
        assert deliver(api, endpoint, event).status_code == 200
    assert run_tasks().count("preorders.apply_payment_intent") == 1
    assert ProcessedEvent.objects.count() == 1


def test_a_delivery_worked_on_is_not_worked_on_again(api, endpoint, event, run_tasks):
    deliver(api, endpoint, event)
    run_tasks()
    tasks.process_webhook_task.delay(WebhookEventTrigger.objects.get().pk)
    assert run_tasks() == ["billing.process_webhook"]


def test_the_event_is_stored_and_nothing_it_is_about_is_copied(
    world, api, endpoint, event, run_tasks
):
    deliver(api, endpoint, event)
    before = world.stripe.look()["calls"]
    run_tasks()
    assert Event.objects.get().id == "evt_held"
    assert [each.objects.count() for each in (PaymentIntent, Customer, PaymentMethod)] == [0, 0, 0]
    after = world.stripe.look()["calls"]
    asked = {what: times - before.get(what, 0) for what, times in after.items()}
    assert {what: times for what, times in asked.items() if times} == {
        "GET /v1/payment_intents/{id}": 1
    }


def test_what_an_event_says_about_people_is_gone_once_it_is_processed(
    world, api, endpoint, event, run_tasks
):
    """Only its id and type stay, outside row-level security as they are."""
    named = event.replace('"object": "payment_intent"', '"receipt_email": "ann@example.test"', 1)
    named = named.replace('"receipt_email": "ann@', '"object": "payment_intent", "x": "ann@')
    deliver(api, endpoint, named)
    assert "ann@example.test" in WebhookEventTrigger.objects.get().body
    run_tasks()
    kind = "payment_intent.amount_capturable_updated"
    trigger, stored = WebhookEventTrigger.objects.get(), Event.objects.get()
    assert json.loads(trigger.body) == {"id": "evt_held", "type": kind}
    assert stored.data == {"object": {"object": "payment_intent"}}
    assert stored.stripe_data == {"id": "evt_held", "object": "event", "type": kind}


def test_what_failed_is_stored_until_it_is_processed(api, endpoint, event, run_tasks, monkeypatch):
    def fail(**_):
        raise RuntimeError

    deliver(api, endpoint, event)
    body = WebhookEventTrigger.objects.get().body
    with monkeypatch.context() as broken:
        broken.setattr("apps.preorders.webhooks.record_event", fail)
        with pytest.raises(RuntimeError):
            run_tasks()
    assert WebhookEventTrigger.objects.get().body == body
    tasks.process_webhook_task.delay(WebhookEventTrigger.objects.get().pk)
    run_tasks()
    assert WebhookEventTrigger.objects.get().processed
    assert "client_secret" not in WebhookEventTrigger.objects.get().body


def test_the_copy_of_a_restaurants_account_has_its_id_only(world, api, endpoint, event, run_tasks):
    account = ConnectAccount.objects.get(restaurant=world.restaurant).account_id
    said = json.loads(event) | {"type": "payout.paid", "account": account}
    said["data"]["object"] = {"id": "po_1", "object": "payout", "metadata": {}}
    deliver(api, endpoint, json.dumps(said))
    tasks.process_webhook_task.delay(WebhookEventTrigger.objects.get().pk)
    run_tasks()
    copy = Account.objects.get(id=account)
    assert copy.stripe_data == {"id": account, "object": "account"}
    assert world.restaurant.email not in json.dumps(copy.metadata)


class TestRefused:
    def test_a_webhook_signed_with_another_secret_is_refused(self, api, endpoint, event):
        assert deliver(api, endpoint, event, secret="whsec_guess").status_code == 400
        assert not WebhookEventTrigger.objects.exists()

    def test_a_webhook_with_a_changed_body_is_refused(self, api, endpoint, event):
        signed = signature(endpoint.secret, event, int(time.time()))
        answer = api().generic(
            "POST",
            f"/stripe/webhook/{endpoint.djstripe_uuid}",
            event.replace("evt_held", "evt_forged"),
            "application/json",
            headers={"Stripe-Signature": signed},
        )
        assert answer.status_code == 400

    def test_a_webhook_with_an_old_signature_is_refused(self, api, endpoint, event):
        assert deliver(api, endpoint, event, moment=int(time.time()) - 3600).status_code == 400

    def test_a_webhook_signed_with_the_callers_own_secret_is_refused(
        self, api, endpoint, event, settings
    ):
        """dj-stripe lets a header choose it while DEBUG is on (design §5)."""
        settings.DEBUG = True
        chosen = {"x-djstripe-webhook-secret": "whsec_mine"}
        answer = deliver(api, endpoint, event, secret="whsec_mine", **chosen)
        assert answer.status_code == 400

    def test_a_webhook_without_a_signature_is_refused(self, api, endpoint, event):
        path = f"/stripe/webhook/{endpoint.djstripe_uuid}"
        assert api().generic("POST", path, event, "application/json").status_code == 400

    def test_a_webhook_for_an_unknown_endpoint_is_answered_with_404(self, api, endpoint, event):
        unknown = "/stripe/webhook/00000000-0000-4000-8000-000000000000"
        headers = {"Stripe-Signature": signature(endpoint.secret, event, int(time.time()))}
        answer = api().generic("POST", unknown, event, "application/json", headers=headers)
        assert answer.status_code == 404

    def test_an_endpoint_whose_secret_is_not_written_yet_is_asked_for_again(
        self, api, endpoint, event
    ):
        row = WebhookEndpoint.objects.filter(pk=endpoint.pk)
        row.update(secret="")
        assert deliver(api, endpoint, event).status_code == 404
        row.update(secret=endpoint.secret)
        assert deliver(api, endpoint, event).status_code == 200

    def test_a_get_request_is_refused(self, api, endpoint):
        assert api().get(f"/stripe/webhook/{endpoint.djstripe_uuid}").status_code == 405

    @pytest.mark.parametrize("body", ["5", "null", "[]", "", "{", "[" * 100_000, '"id"', "{}"])
    def test_a_body_that_is_no_event_is_refused(self, api, endpoint, body):
        assert deliver(api, endpoint, body, secret="whsec_guess").status_code == 400
        assert not WebhookEventTrigger.objects.exists()


def test_an_event_of_a_type_we_do_not_action_on_is_taken(api, endpoint, event, run_tasks):
    body = event.replace("payment_intent.amount_capturable_updated", "payment_intent.created")
    assert deliver(api, endpoint, body).status_code == 200
    assert "preorders.apply_payment_intent" not in run_tasks()


def test_a_changed_account_is_read_afresh(world, api, endpoint, run_tasks):
    restaurant = world.restaurant
    ConnectAccount.objects.update(charges_enabled=False, payouts_enabled=False)
    account = restaurant.connect_account.account_id
    tasks.sync_account_task.delay(account)
    tasks.sync_account_task.delay("acct_nobodys")
    run_tasks()
    row = ConnectAccount.objects.get(account_id=account)
    assert row.charges_enabled
    assert row.payouts_enabled
    assert world.fresh(restaurant).stripe_completed


def test_the_owners_are_told_of_another_bank_account(world, api, endpoint, run_tasks, mailoutbox):
    restaurant = world.restaurant
    owner = UserFactory(email="olga@luigis.test")
    MembershipFactory(user=owner, restaurant=restaurant, role="owner")
    account = ConnectAccount.objects.get(restaurant=restaurant).account_id
    world.stripe.control(change_bank={"account": account, "last4": "4321"})
    [sent] = [
        each
        for each in stripe.Event.list(stripe_account=account).data
        if each.type == "account.external_account.created"
    ]
    body = json.dumps(sent.to_dict(), default=str)
    for _ in range(2):  # delivered twice
        assert deliver(api, endpoint, body).status_code == 200
        run_tasks()
    assert [(each.subject, each.to) for each in mailoutbox] == [
        ("The bank account for Luigi's changed", ["olga@luigis.test"])
    ]
    with rls.acting_as(rls.PLATFORM):
        [logged] = LoggedEvent.objects.filter(kind="bank_account_changed")
    assert (logged.restaurant_id, logged.details) == (restaurant.pk, {"change": "created"})
    assert "4321" not in mailoutbox[0].body + str(logged.__dict__)
