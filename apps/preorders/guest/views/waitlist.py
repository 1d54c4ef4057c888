"""The waitlist of a sold-out special: joining it, and the page of an entry (decision 29)."""

from dataclasses import replace
from datetime import datetime, timedelta
from http import HTTPStatus
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.bot_check import FormProps, posted_proof
from apps.accounts.rate_limits import Limit
from apps.common import clock, rls
from apps.common.errors import DomainError
from apps.common.formats import portions, time_left
from apps.common.languages import for_guests
from apps.common.signed_ids import SignedIds
from apps.common.views import form_target
from apps.offers.pickup_slots import slots_of
from apps.offers.presentation import Special
from apps.offers.storefront import restaurant_of_special, special_on_show
from apps.preorders.checkout.forms import OrderForm, guest_details
from apps.preorders.checkout.limits import check_start, check_waitlist, origin_of
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.core.access import give_access_to_sender
from apps.preorders.core.links import (
    card_url,
    order_path,
    waitlist_entry_for_token,
    waitlist_entry_path,
)
from apps.preorders.core.waitlist import most_to_wait_for, position_of, time_to_order
from apps.preorders.emails.dinner import sum_to_order
from apps.preorders.guest.entry_status import (
    can_rejoin,
    entry_status,
    is_reserved,
    is_unfinished,
    is_waiting,
)
from apps.preorders.guest.views.special import (
    check_after,
    form_facts,
    no_special,
    refuse_strangers,
    special_page,
)
from apps.preorders.models import WaitlistEntry
from apps.preorders.models.states import WaitlistStatus
from apps.preorders.waitlist.forms import AddressForm, PortionsForm, WaitlistForm
from apps.preorders.waitlist.services import (
    WaitlistOrder,
    change_waitlist_email,
    change_waitlist_portions,
    join_waitlist,
    leave_waitlist,
    moved_entry,
    order_from_waitlist,
)
from apps.restaurants.middleware import tenant_of

# The browser that joined reads the address it typed; the link alone doesn't show it (decision 55).
_joined = SignedIds("preorders.waitlist_joined")
# Each sends an email, and anyone with the link can cause it.
CHANGES_OF_ENTRY = Limit("waitlist-changes", times=10, window=60 * 60)
# What the page's address says was done, right after it.
CHANGED, EMAILED = "portions", "emailed"


@csrf_exempt  # see `is_from_own_page`
@form_target(lambda special_id: f"/specials/{special_id}")
@never_cache
@for_guests
def join(request: HttpRequest, special_id: UUID) -> HttpResponse:
    """Add the guest to the waitlist; redirects to their entry, or shows the form's errors."""
    now = clock.now()
    restaurant = restaurant_of_special(request, special_id)
    shown = special_on_show(restaurant, special_id, now) if restaurant else None
    if restaurant is None or shown is None:
        return no_special(request, restaurant, special_id)
    form = WaitlistForm(request.POST, asks_for_phone=restaurant.asks_for_phone)
    status: int = HTTPStatus.BAD_REQUEST
    check = None
    if form.is_valid():
        try:
            refuse_strangers(request)
            origin = origin_of(request, posted_proof(request), now=now)
            check_waitlist(origin, offer_id=special_id, email=guest_details(form).email)
            with rls.acting_as(restaurant):
                waitlist_entry = join_waitlist(
                    offer_id=special_id,
                    guest=guest_details(form),
                    portions=form.cleaned_data["quantity"],
                    now=now,
                )
        except DomainError as error:
            form.refuse(error)
            status = error.status
            check = check_after(error, now=now)
            shown = special_on_show(restaurant, special_id, now) or shown
        else:
            return _joined_here(waitlist_entry, now=now)
    return special_page(request, shown, OrderForm(), waiting=form, status=status, check=check)


@require_safe
@never_cache
@for_guests
def waitlist_entry(request: HttpRequest, token: str) -> HttpResponse:
    """The guest's place on the waitlist, and the order form once portions are reserved for them.

    The browser that corrected the address is led on, also after Back or a second press.
    """
    found = _position_of(request, token)
    if found is None:
        return _no_entry(request)
    if _has_joined(request, found):
        with rls.acting_as(found.restaurant_id):
            moved = moved_entry(found)
        if moved is not None:
            return _joined_here(moved, now=clock.now())
    return _page(request, found)


@csrf_exempt
@form_target(lambda token: f"/waitlist/{token}")
@never_cache
@for_guests
def order_from_entry(request: HttpRequest, token: str) -> HttpResponse:
    """Order the reserved portions; redirects to where the card is given."""
    found = _position_of(request, token)
    if found is None:
        return _no_entry(request)
    now = clock.now()
    form = OrderForm(request.POST, offer_id=found.offer_id, known=_guest_of(found))
    if request.POST.get("show") == "total":
        return _page(request, found, form.with_values_alone())
    try:
        refuse_strangers(request)
        if not form.is_valid():
            return _page(request, found, form, status=HTTPStatus.BAD_REQUEST)
        order_request = WaitlistOrder(
            quantity=form.cleaned_data["quantity"],
            guest=form.guest,
            claimed_total=form.claimed_total,
            note=form.cleaned_data["note"],
            slot_id=form.cleaned_data["slotId"],
            service_mode=form.cleaned_data["serviceMode"],
            alternative_consent=form.cleaned_data["alternativeConsent"],
            pays_here=form.pays_here,
        )
        origin = origin_of(request, posted_proof(request), now=now)
        check_start(origin, restaurant_id=found.restaurant_id, email=form.guest.email)
        with rls.acting_as(found.restaurant_id):
            begun = order_from_waitlist(
                entry_id=found.pk, order_request=order_request, origin=origin, now=now
            )
    except DomainError as error:
        form.refuse(error)
        check = check_after(error, now=now)
        current = _position_of(request, token) or found
        return _page(request, current, form, status=error.status, check=check)
    response = HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": card_url(begun)})
    give_access_to_sender(response, begun, now=now)
    return response


@csrf_exempt
@form_target(lambda token: f"/waitlist/{token}")
@never_cache
@for_guests
def change_portions(request: HttpRequest, token: str) -> HttpResponse:
    """Wait for more or fewer portions, in the same place."""
    found = _position_of(request, token)
    if found is None:
        return _no_entry(request)
    now = clock.now()
    path = waitlist_entry_path(found)
    if not is_waiting(found, Special(found.offer, now)):
        return _see(path)
    form = PortionsForm(request.POST)
    try:
        refuse_strangers(request)
        if not form.is_valid():
            return _page(request, found, portions_form=form, status=HTTPStatus.BAD_REQUEST)
        if form.cleaned_data["quantity"] != found.portions:
            CHANGES_OF_ENTRY.count(str(found.pk))
        with rls.acting_as(found.restaurant_id):
            entry = change_waitlist_portions(
                entry_id=found.pk, portions=form.cleaned_data["quantity"], now=now
            )
    except DomainError as error:
        form.refuse(error)
        return _page(request, found, portions_form=form, status=error.status)
    still_waits = entry.state == WaitlistStatus.WAITING
    return _see(f"{path}?done={CHANGED}#waitlist" if still_waits else path)


@csrf_exempt
@form_target(lambda token: f"/waitlist/{token}")
@never_cache
@for_guests
def change_email(request: HttpRequest, token: str) -> HttpResponse:
    """Correct the address, in the same place, in the browser that typed it."""
    found = _position_of(request, token)
    if found is None:
        return _no_entry(request)
    now = clock.now()
    if not is_waiting(found, Special(found.offer, now)) or not _has_joined(request, found):
        return _see(waitlist_entry_path(found))
    form = AddressForm(request.POST)
    try:
        refuse_strangers(request)
        if not form.is_valid():
            return _page(request, found, address_form=form, status=HTTPStatus.BAD_REQUEST)
        email = form.cleaned_data["customerEmail"]
        if email.lower() == found.email:
            return _see(waitlist_entry_path(found))
        origin = origin_of(request, posted_proof(request), now=now)
        check_waitlist(origin, offer_id=found.offer_id, email=email)
        with rls.acting_as(found.restaurant_id):
            entry = change_waitlist_email(entry_id=found.pk, email=email, now=now)
    except DomainError as error:
        form.refuse(error)
        check = check_after(error, now=now)
        return _page(request, found, address_form=form, status=error.status, check=check)
    return _joined_here(entry, now=now)


@csrf_exempt  # the link is the key; email clients post here too (RFC 8058)
@require_POST
@never_cache
@for_guests
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """Leave the waitlist: after the page's question, or at once from an email program."""
    found = _position_of(request, token)
    if found is None:
        return _no_entry(request)
    with rls.acting_as(found.restaurant_id):
        leave_waitlist(entry_id=found.pk, now=clock.now())
    return _see(waitlist_entry_path(found))


def _page(
    request: HttpRequest,
    found: WaitlistEntry,
    form: OrderForm | None = None,
    *,
    portions_form: PortionsForm | None = None,
    address_form: AddressForm | None = None,
    status: int = HTTPStatus.OK,
    check: FormProps | None = None,
) -> HttpResponse:
    special = Special(found.offer, clock.now())
    is_stored = is_reserved(found, special)
    if is_stored:
        special = replace(special, own=found.portions)
    closes = found.reserved_until if is_stored and found.reserved_until else found.offer.deadline
    waits = is_waiting(found, special)
    done = request.GET.get("done") if waits and status == HTTPStatus.OK else None
    joined_as = found.email if _has_joined(request, found) else ""
    if form is None:
        form = OrderForm(initial={"quantity": str(found.portions)}, known=_guest_of(found))
    with rls.acting_as(found.restaurant_id):
        slots = slots_of(found.offer) if is_stored or waits else []
        context = {
            "restaurant": found.offer.restaurant,
            "special": special,
            "entry_sum": sum_to_order(found.offer, found.portions),
            "status": entry_status(found, special),
            "position": position_of(found) if waits else None,
            "is_stored": is_stored,
            "is_waiting": waits,
            "now_waits_for": portions(found.portions) if done == CHANGED else "",
            "emailed_to": joined_as if done == EMAILED else "",
            "portions_form": portions_form or PortionsForm(initial={"quantity": found.portions}),
            "address_form": address_form or AddressForm(initial={"customerEmail": found.email}),
            "email_action": waitlist_entry_path(found, then="/email"),
            "portions_action": waitlist_entry_path(found, then="/portions"),
            "entry_id": found.pk,
            "address": waitlist_entry_path(found),
            "closes": closes,
            "reserved_time_left": time_left((closes - special.now).total_seconds()),
            "joined_as": joined_as,
            "reserved_for": time_to_order(found.offer, special.now),
            "can_leave": is_stored or waits,
            "can_rejoin": can_rejoin(found, special),
            "form": form,
            "form_action": waitlist_entry_path(found, then="/order"),
            "leave_action": waitlist_entry_path(found, then="/leave"),
            "limit": found.portions,
            "waits_for": found.portions,
            "most_to_wait_for": most_to_wait_for(found.offer),
            "bot_check": check,
            **form_facts(special, form, slots, limit=found.portions),
            "order_link": order_path(found.pre_order) if found.pre_order else "",
            "pay_url": card_url(found.pre_order)
            if found.pre_order and is_unfinished(found)
            else "",
        }
        return render(request, "preorders/pages/waitlist_entry.html", context, status=status)


def _guest_of(found: WaitlistEntry) -> GuestDetails:
    """Who joined. The page doesn't show it, because its link can be passed on; the order is made
    in this name, and its emails go to this address."""
    return GuestDetails(name=found.name, email=found.email, phone=found.phone)


def _position_of(request: HttpRequest, token: str) -> WaitlistEntry | None:
    """The entry of the link, of any restaurant; a restaurant's host finds only its own."""
    entry_id = waitlist_entry_for_token(token)
    if entry_id is None:
        return None
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        entries = WaitlistEntry.objects.select_related(
            "offer__restaurant__connect_account",
            "offer__photo",
            "offer__alternative_dish",
            "pre_order",
        )
        found = entries.filter(pk=entry_id).first()
        if found is not None and found.pre_order is not None:
            found.pre_order.offer = found.offer
        return found


def _joined_here(entry: WaitlistEntry, *, now: datetime) -> HttpResponse:
    """To the entry's page, which this browser is shown with the address until the deadline."""
    path = waitlist_entry_path(entry)
    response = _see(f"{path}?done={EMAILED}")
    response.set_cookie(
        _cookie(),
        _joined.token(entry.pk),
        max_age=max(timedelta(), entry.offer.deadline - now),
        path=path,
        secure=settings.PUBLIC_SCHEME == "https",
        httponly=True,
        samesite="Lax",
    )
    return response


def _has_joined(request: HttpRequest, entry: WaitlistEntry) -> bool:
    return _joined.key_of(request.COOKIES.get(_cookie(), "")) == entry.pk


def _cookie() -> str:
    return f"{settings.ORDER_COOKIE_PREFIX}waitlist"


def _no_entry(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "preorders/pages/no_order.html",
        {
            "message": _("This waitlist link isn't valid"),
            "is_waitlist": True,
            "restaurant": tenant_of(request),
        },
        status=HTTPStatus.NOT_FOUND,
    )


def _see(path: str) -> HttpResponse:
    """Redirect after a post, so the page can be reloaded."""
    response = redirect(path)
    response.status_code = HTTPStatus.SEE_OTHER
    return response
