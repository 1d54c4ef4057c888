"""What happens by itself as the clock advances: authorizations and checkout sessions expire,
asynchronous refunds succeed or fail, payouts arrive, subscriptions renew."""

import asyncio
import logging

from .resources import (
    checkout,
    disputes,
    intent_capture,
    invoices,
    payouts,
    refund_outcomes,
    subscriptions,
)
from .server import Call, Server

logger = logging.getLogger(__name__)
_EVERY = 0.5


def run_due(server: Server, base_url: str, call: Call) -> int:
    """Do everything that is due, in the current transaction, and return how many."""
    now = server.clock.now()
    rows = server.store.due(now)
    for row in rows:
        acting = Call(server, base_url, row.account, now, call.request)
        if row.kind == "payment_intent":
            intent_capture.expire(acting, row.obj)
        elif row.kind == "checkout.session":
            checkout.close_expired(acting, row.obj)
        elif row.kind == "payout":
            payouts.arrive(acting, row.obj)
        elif row.kind == "account":
            payouts.pay_automatically(acting, row.obj)
        elif row.kind == "refund":
            refund_outcomes.settle(acting, row.obj)
        elif row.kind == "dispute":
            disputes.run_out(acting, row.obj)
        elif row.kind == "subscription":
            subscriptions.renew(acting, row.obj)
        elif row.kind == "invoice":
            invoices.advance(acting, row.obj)
    return len(rows)


async def watch(server: Server, base_url: str) -> None:
    """Check twice a second. A failure is logged, and the next check runs as usual."""
    while True:
        await asyncio.sleep(_EVERY)
        if not server.store.due(server.clock.now()):
            continue
        try:
            with server.work(base_url) as call:
                run_due(server, base_url, call)
        except Exception:
            logger.exception("an object could not be expired")
