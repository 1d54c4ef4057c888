"""The special's page behind a guest's link for friends (decision 88)."""

from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from apps.billing.card_fields import asks_for_a_card
from apps.common import clock, rls
from apps.common.views import form_target
from apps.offers.presentation import Special
from apps.offers.storefront import restaurant_of_special, special_on_show
from apps.preorders.checkout.forms import OrderForm
from apps.preorders.core.access import Purpose, is_allowed
from apps.preorders.core.friends import FriendsOf, friends_of, starter_for_token
from apps.preorders.core.links import order_path
from apps.preorders.guest.views.order_link import hide_link
from apps.preorders.guest.views.special import (
    begin,
    no_special,
    special_page,
    unfinished_order,
)


@require_safe
@asks_for_a_card
@never_cache
def for_friends(request: HttpRequest, special_id: UUID, token: str) -> HttpResponse:
    """The special, with the portions that a guest reserves for whoever has the link. A link we
    didn't sign leads to the special."""
    found = _shown(request, special_id, token)
    if found is None:
        return no_special(request, restaurant_of_special(request, special_id), special_id)
    shown, party = found
    if party is None:
        return redirect(shown.path)
    chosen = {"slotId": party.slot_id, "serviceMode": party.service_mode}
    form = OrderForm(initial=chosen, friends_link=token)
    unfinished = unfinished_order(request, shown)
    page = special_page(
        request,
        shown,
        form,
        party=party,
        unfinished=unfinished,
        own_link=order_path(party.starter) if _is_starter(request, party, shown.now) else "",
    )
    return hide_link(page)


@csrf_exempt  # see `is_from_own_page`
@form_target(lambda special_id, token: f"/specials/{special_id}/friends/{token}")
@asks_for_a_card
@never_cache
def order_as_friend(request: HttpRequest, special_id: UUID, token: str) -> HttpResponse:
    """Start an order of the portions reserved for friends, or of others where these are used up."""
    found = _shown(request, special_id, token)
    if found is None:
        return no_special(request, restaurant_of_special(request, special_id), special_id)
    shown, party = found
    if party and _is_starter(request, party, shown.now):
        return redirect(party.url)
    form = OrderForm(
        request.POST,
        offer_id=special_id,
        friends_link=token,
        asks_for_phone=shown.restaurant.asks_for_phone,
    )
    return hide_link(begin(request, shown, form, now=shown.now, party=party))


def _is_starter(request: HttpRequest, party: FriendsOf, now: datetime) -> bool:
    """Whether this browser reserved the portions: it is shown what friends see."""
    return is_allowed(request, party.starter, Purpose.INVITATION, now=now)


def _shown(
    request: HttpRequest, special_id: UUID, token: str
) -> tuple[Special, FriendsOf | None] | None:
    now = clock.now()
    restaurant = restaurant_of_special(request, special_id)
    shown = special_on_show(restaurant, special_id, now) if restaurant else None
    if restaurant is None or shown is None:
        return None
    with rls.acting_as(restaurant):
        starter = starter_for_token(token, offer=shown.offer)
        return shown, friends_of(starter, now=now) if starter else None
