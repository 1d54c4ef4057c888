"""What the clock does by itself: holds and checkout sessions run out."""

import asyncio
import logging

from .resources import checkout, intent_capture
from .server import Call, Server

logger = logging.getLogger(__name__)
_EVERY = 0.5


def run_due(server: Server, base_url: str, call: Call) -> int:
    """Ends everything whose time has come, inside the running transaction. Gives the number."""
    now = server.clock.now()
    rows = server.store.due(now)
    for row in rows:
        acting = Call(server, base_url, row.account, now, call.request)
        if row.kind == "payment_intent":
            intent_capture.expire(acting, row.obj)
        elif row.kind == "checkout.session":
            checkout.close_expired(acting, row.obj)
    return len(rows)


async def watch(server: Server, base_url: str) -> None:
    """Looks twice a second. A failure is reported and the next look goes on."""
    while True:
        await asyncio.sleep(_EVERY)
        if not server.store.due(server.clock.now()):
            continue
        try:
            with server.work(base_url) as call:
                run_due(server, base_url, call)
        except Exception:
            logger.exception("an object could not be expired")
