"""What a browser can do with an order besides seeing it (decision 55).

An access is a signed statement for one order and one purpose, which expires. The browser that
placed the order is given one to change it, and so is every browser that opens the order from an
email to its own address (decision 176). It is stored in a cookie of this host alone, sent to this
order's pages alone, so other pages stay free of cookies. While the order waits for a card, the
pages of the specials recognize the browser as well (decisions 160 and 163).
"""

from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.common.signed_ids import signed_text
from apps.common.signing import signer
from apps.preorders.core.friends import friends_path
from apps.preorders.core.links import order_path, order_url
from apps.preorders.models import PreOrder
from apps.preorders.models.states import CHECKOUT_STATUSES

# How long an emailed link to the guest's data works, and the access it gives.
LINK_LIFETIME = timedelta(minutes=30)
_CHECKOUT = "preorders.checkout_sender"
# The list of specials, and below it the page of each.
SPECIALS_PATH = "/specials"
# How long after the serve date the guest's browsers can still act on an order.
CHANGE_LIFETIME = timedelta(days=2)


class Purpose(StrEnum):
    """What an access is for; one for another purpose isn't accepted."""

    CHANGE = "change"  # change, pay for, and cancel the order, and read what was typed into it
    DATA = "data"  # download or delete what the restaurant has stored about the guest
    FINISH = "finish"  # be shown the order where its special is while it waits for a card
    INVITATION = "invitation"  # be shown the order's own invitation as friends see it


def access_token(order: PreOrder, purpose: Purpose, *, until: datetime) -> str:
    """A signed access to the order, for this purpose, until then. A revoked link ends it too."""
    facts = f"{order.pk.hex}-{order.link_revision}-{int(until.timestamp())}"
    return signer(_signed_for(purpose)).sign(facts)


def access_ends_at(
    order: PreOrder, purpose: Purpose, token: str, *, now: datetime
) -> datetime | None:
    """When this access to this order for this purpose ends; None if it isn't valid."""
    facts = signed_text(_signed_for(purpose), token)
    about, _, until = facts.rpartition("-")
    if about != f"{order.pk.hex}-{order.link_revision}" or now.timestamp() >= int(until):
        return None
    return datetime.fromtimestamp(int(until), UTC)


def guest_url(order: PreOrder, *, then: str = "") -> str:
    """The order's link for its guest, which gives the access to change it (decision 176).

    Only an email to the order's own address may contain it, and an answer to the browser that
    placed the order on another host, where it can't be given a cookie. `then` is where it leads on
    the order's page, such as `/card` or `#cancel`.
    """
    token = access_token(order, Purpose.CHANGE, until=_change_ends_at(order))
    query = urlencode({"access": token} | ({"then": then} if then else {}))
    return order_url(order, then=f"/open?{query}")


def data_url(order: PreOrder, *, now: datetime) -> str:
    """The link to the guest's data, for `LINK_LIFETIME`. Only an email to the order's own address
    may contain it."""
    token = access_token(order, Purpose.DATA, until=now + LINK_LIFETIME)
    query = urlencode({"for": Purpose.DATA, "access": token})
    return order_url(order, then=f"/open?{query}")


def _change_ends_at(order: PreOrder) -> datetime:
    return datetime.combine(order.offer.serve_date + CHANGE_LIFETIME, time(), UTC)


def give_access(
    response: HttpResponse,
    order: PreOrder,
    purpose: Purpose,
    *,
    until: datetime,
    now: datetime,
    path: str = "",
) -> None:
    """Store the access in the browser that gets this response, for the order's pages or `path`."""
    response.set_cookie(
        _cookie(order, purpose),
        access_token(order, purpose, until=until),
        max_age=max(timedelta(), until - now),
        path=path or order_path(order),
        secure=settings.PUBLIC_SCHEME == "https",
        httponly=True,
        samesite="Lax",
    )


def give_access_to_sender(response: HttpResponse, order: PreOrder, *, now: datetime) -> None:
    """Let the browser that just placed the order change it without an email, and find it on the
    special's page and in the list until it has a card.

    Only for an order this request created: a double press gets the first one's checkout and no
    access.
    """
    if order.created_at == now:
        give_access_to_change(response, order, now=now)


def give_access_to_change(response: HttpResponse, order: PreOrder, *, now: datetime) -> None:
    """Let the browser change the order, and the pages of specials recognize it until the order's
    payment page closes."""
    give_access(response, order, Purpose.CHANGE, until=_change_ends_at(order), now=now)
    if order.payment_status in CHECKOUT_STATUSES:
        until = order.checkout_expires_at
        give_access(response, order, Purpose.FINISH, until=until, now=now, path=SPECIALS_PATH)


def give_access_to_invitation(response: HttpResponse, order: PreOrder, *, now: datetime) -> None:
    """Let the link for the order's friends recognize the browser of who sends it (decision 88)."""
    until, path = _change_ends_at(order), friends_path(order)
    give_access(response, order, Purpose.INVITATION, until=until, now=now, path=path)


def orders_to_finish(request: HttpRequest, *, now: datetime) -> list[PreOrder]:
    """This browser's orders that wait for a card, first the newest. Asks nothing of the database
    where the browser has none."""
    named = [_order_of(token) for token in _tokens(request, Purpose.FINISH)]
    keys = [key for key in named if key is not None]
    if not keys:
        return []
    waiting = PreOrder.objects.in_checkout().filter(pk__in=keys, checkout_expires_at__gt=now)
    found = waiting.select_related("offer__restaurant", "pickup_slot").order_by("-created_at")
    return [order for order in found if is_allowed(request, order, Purpose.FINISH, now=now)]


def give_access_to_checkout(response: HttpResponse, cart_id: UUID, *, now: datetime) -> None:
    """Let the checkout's calls, which alone get this cookie, recognize the browser that started it:
    they tell it the card (decision 182).

    From the platform's host, a restaurant's can't be given cookies; there the checkout answers
    links that give the access on the restaurant's host (`guest_url`).
    """
    until = int((now + LINK_LIFETIME).timestamp())
    response.set_cookie(
        settings.CHECKOUT_COOKIE_NAME,
        signer(_CHECKOUT).sign(f"{cart_id.hex}-{until}"),
        max_age=LINK_LIFETIME,
        path=f"/api/checkouts/{cart_id}",
        secure=settings.PUBLIC_SCHEME == "https",
        httponly=True,
        samesite="Lax",
    )


def is_checkouts_sender(request: HttpRequest, cart_id: UUID, *, now: datetime) -> bool:
    """Whether this browser started the cart not long ago."""
    facts = signed_text(_CHECKOUT, request.COOKIES.get(settings.CHECKOUT_COOKIE_NAME, ""))
    about, _, until = facts.rpartition("-")
    return about == cart_id.hex and now.timestamp() < int(until)


def is_allowed(request: HttpRequest, order: PreOrder, purpose: Purpose, *, now: datetime) -> bool:
    """Whether this browser has the access."""
    token = request.COOKIES.get(_cookie(order, purpose), "")
    return access_ends_at(order, purpose, token, now=now) is not None


def _cookie(order: PreOrder, purpose: Purpose) -> str:
    # Named after the order too, though its path is the order's own: a response has one cookie of a
    # name, and the answer to a cart gives an access to each of its orders.
    return f"{settings.ORDER_COOKIE_PREFIX}{order.code.lower()}-{purpose}"


def _tokens(request: HttpRequest, purpose: Purpose) -> list[str]:
    """The accesses for this purpose that the browser sent, to whichever orders."""
    first, last = settings.ORDER_COOKIE_PREFIX, f"-{purpose}"
    return [
        token
        for name, token in request.COOKIES.items()
        if name.startswith(first) and name.endswith(last)
    ]


def _order_of(token: str) -> UUID | None:
    """The order that an access to finish it names; None for one that we didn't sign."""
    key = signed_text(_signed_for(Purpose.FINISH), token).partition("-")[0]
    return UUID(key) if key else None


def _signed_for(purpose: Purpose) -> str:
    return f"preorders.order_access:{purpose}"
