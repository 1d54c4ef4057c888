"""A worker that dies at a chosen moment: `python -m tests.faults.worker DATABASE STRIPE`.

Each line on standard input is a job; a forked child does it and kills itself with SIGKILL right
before or right after the n-th call to Stripe or the email server. The answer says which moments it
reached. Messages that the job queues are lost with it.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

import django

# The gateway's functions that talk to Stripe. Those that list are read to the end inside one call.
CALLS = (
    "retrieve_intent",
    "retrieve_with_refunds",
    "capture",
    "release",
    "refund",
    "charge_off_session",
    "intents_of_customer",
    "create_checkout",
    "retrieve_checkout",
    "expire_checkout",
    "create_customer",
    "create_intent",
    "create_setup",
    "retrieve_setup",
    "reopen_intent",
    "retrieve_dispute",
    "submit_evidence",
    "upload_evidence",
    "repeat_refund",
    "accept_dispute",
    "retrieve_transfer",
    "reverse_transfer",
    "transfer_for_dispute",
    "return_transfer",
    "retrieve_fraud_warning",
    "account_balance",
    "find_payouts",
    "create_payout",
    "retrieve_payout",
)


class Doom:
    """Counts the moments around calls to Stripe and dies at the chosen one."""

    def __init__(self, moment: int, report: int) -> None:
        self._left = moment
        self._report = report

    def pass_by(self, where: str) -> None:
        os.write(self._report, f"{where}\n".encode())
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1


def _doomed(call: Callable[..., Any], name: str, doom: Doom) -> Callable[..., Any]:
    @wraps(call)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        doom.pass_by(f"before {name}")
        try:
            answer = call(*args, **kwargs)
            if name == "intents_of_customer":
                answer = list(answer)
        except Exception:
            doom.pass_by(f"after {name}")
            raise
        doom.pass_by(f"after {name}")
        return answer

    return wrapped


def _run(job: dict[str, Any]) -> None:
    """The work itself, as the tasks do it."""
    from uuid import UUID

    from apps.billing import payouts
    from apps.common import clock, rls
    from apps.marketing.campaigns import sending
    from apps.offers.models import SpecialOffer
    from apps.preorders import tasks
    from apps.preorders.cart import confirmation
    from apps.preorders.cart import items as cart_items
    from apps.preorders.cart import services as cart_services
    from apps.preorders.checkout import phone_orders
    from apps.preorders.checkout import services as checkout_services
    from apps.preorders.emails import outbox
    from apps.preorders.guest import changes
    from apps.preorders.models import PreOrder
    from apps.preorders.settlement import (
        cancellation,
        deadline,
        disputes,
        fraud_warnings,
        offer_cancellation,
        payments,
        worker,
    )
    from apps.preorders.settlement import cart_items as settlement_cart_items

    now = datetime.fromisoformat(job["now"])
    with rls.acting_as(rls.PLATFORM):
        match job["what"]:
            case "run_operation":
                worker.run_operation(job["id"], now=now)
            case "run_operations":
                with clock.stopped_at(now):
                    tasks.run_operations_task([int(key) for key in job["id"].split()])
            case "close_offer":
                deadline.close_offer(UUID(job["id"]), now=now)
            case "send_email":
                outbox.send_email(UUID(job["id"]), now=now)
            case "send_invitation":
                sending.send_invitation(UUID(job["id"]), now=now)
            case "apply_payment_intent":
                payments.apply_payment_intent(job["id"], now=now)
            case "apply_refunds":
                payments.apply_refunds(job["id"], now=now)
            case "apply_dispute":
                disputes.apply_dispute(job["id"], now=now)
            case "apply_fraud_warning":
                fraud_warnings.apply_fraud_warning(job["id"], now=now)
            case "run_payout":
                payouts.run_payout(payout_id=UUID(job["id"]), now=now)
            case "sync_payout":
                payouts.sync_payout(payout_id=job["id"], name="", now=now)
            case "cancel_order":
                cancellation.cancel_order(
                    order=PreOrder.objects.get(pk=job["id"]), reason="", by="Maria", now=now
                )
            case "drop_change":
                changes.drop_change(order=PreOrder.objects.get(pk=job["id"]), now=now)
            case "cancel_offer":
                offer_cancellation.cancel_offer(
                    restaurant=SpecialOffer.objects.get(pk=job["id"]).restaurant,
                    offer_id=UUID(job["id"]),
                    reason="The fish did not arrive.",
                    by="Maria",
                    now=now,
                )
            case "begin_phone_order":
                phone_orders.begin_phone_order(
                    offer_id=UUID(job["id"]),
                    quantity=1,
                    guest=checkout_services.GuestDetails(**job["guest"]),
                    now=now,
                )
            case "begin_cart":
                # The id is those of its specials, with commas.
                offers = [SpecialOffer.objects.get(pk=pk) for pk in job["id"].split(",")]
                cart_services.begin_cart(
                    restaurant=offers[0].restaurant,
                    items=[cart_items.CartEntry(offer.pk, 1) for offer in offers],
                    guest=checkout_services.GuestDetails(**job["guest"]),
                    claimed_total=None,
                    now=now,
                )
            case "confirm_cart":
                confirmation.confirm_cart(cart_id=UUID(job["id"]), guest=None, now=now)
            case "take_up_cart":
                settlement_cart_items.authorize_items(UUID(job["id"]), now=now)
            case "begin_order":
                checkout_services.begin_order(
                    offer_id=UUID(job["id"]),
                    quantity=1,
                    guest=checkout_services.GuestDetails(**job["guest"]),
                    claimed_total=None,
                    now=now,
                )


def _child(job: dict[str, Any], report: int) -> None:
    from celery import Task
    from django.conf import settings
    from django.core.mail import EmailMessage

    from apps.billing import stripe_gateway
    from apps.billing.stripe_gateway import parallel
    from apps.preorders.settlement import batch_capture

    doom = Doom(job["moment"], report)
    send: Callable[..., None] = lambda *_, **__: None  # noqa: E731
    if job["what"] == "cancel_offer":  # it doesn't call Stripe: it dies around its commit
        from apps.preorders.core import waitlist
        from apps.preorders.settlement import offer_cancellation

        end = _doomed(waitlist.end_waitlist, "the end of the decision", doom)
        setattr(offer_cancellation, "end_waitlist", end)  # noqa: B010 - a function, to mypy
        send = _doomed(send, "a message", doom)
    if job["what"] == "drop_change":  # around the last line before its commit
        from apps.preorders.core.portions import recount
        from apps.preorders.guest import changes

        setattr(changes, "recount", _doomed(recount, "recount", doom))  # noqa: B010 - a function, to mypy
    setattr(Task, "apply_async", send)  # noqa: B010 - a method, to mypy
    # One call at a time, so that the moments come in the same order each time.
    setattr(parallel, "_AT_ONCE", 1)  # noqa: B010 - private
    # However slow the machine is, charges are recorded when their message is done.
    setattr(batch_capture, "monotonic", lambda: 0.0)  # noqa: B010 - a function, to mypy
    for name in CALLS:
        call = getattr(stripe_gateway, name)
        # Both where other modules find it and where its own module does, because a refund ends by
        # reading the intent.
        for module in (stripe_gateway, sys.modules[call.__module__]):
            setattr(module, name, _doomed(call, name, doom))
    if job["email_folder"]:
        settings.EMAIL_BACKEND = "apps.common.email_backends.FolderBackend"
        settings.EMAIL_FOLDER = job["email_folder"]
    setattr(EmailMessage, "send", _doomed(EmailMessage.send, "send", doom))  # noqa: B010
    _run(job)


def _load() -> None:
    """What each child would load for itself: addresses of pages, and the modules of `_run`."""
    import gc
    from importlib import import_module

    from django.conf import settings
    from django.template.engine import Engine
    from django.urls import get_resolver

    for urls in (settings.ROOT_URLCONF, settings.RESTAURANT_URLCONF):
        get_resolver(urls)._populate()
    import_module(settings.EMAIL_BACKEND.rpartition(".")[0])
    Engine.get_default()
    for name in (
        "cart.confirmation",
        "checkout.phone_orders",
        "guest.changes",
        "settlement.offer_cancellation",
    ):
        import_module(f"apps.preorders.{name}")
    gc.freeze()  # so that a child doesn't copy what the collector would look at


def main() -> None:
    database_name, stripe_address = sys.argv[1:]
    django.setup()
    import stripe

    from tests import database

    database.use(database_name)
    stripe.api_base = stripe_address
    _load()
    for line in sys.stdin:
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                _child(json.loads(line), writing)
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        with os.fdopen(reading) as report:
            passed = report.read().splitlines()
        _, status = os.waitpid(pid, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        print(json.dumps({"killed": killed, "status": status, "passed": passed}), flush=True)


if __name__ == "__main__":
    main()
