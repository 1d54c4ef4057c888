"""The waitlist of a sold-out special: joining it, and the page of an entry (decision 29)."""

from dataclasses import dataclass
from http import HTTPStatus
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from apps.common import clock, rls
from apps.common.errors import DomainError
from apps.common.formats import moment
from apps.common.languages import for_diners
from apps.offers.presenting import Special
from apps.offers.slots import slots_of
from apps.offers.storefront import restaurant_of_special, special_on_show
from apps.preorders.models import WaitingPlace
from apps.preorders.order_form import OrderForm, read_order_form
from apps.preorders.order_links import order_path
from apps.preorders.pages.special import no_special, refuse_strangers, special_page
from apps.preorders.pricing import price_order
from apps.preorders.services.waiting import (
    HeldOrder,
    join_line,
    leave_line,
    order_from_place,
)
from apps.preorders.states import WaitingState
from apps.preorders.waiting_form import read_waiting_form
from apps.preorders.waiting_links import place_of_link, place_path
from apps.restaurants.middleware import tenant_of


@csrf_exempt  # see `origin.is_from_own_page`
@require_POST
@never_cache
@for_diners
def join(request: HttpRequest, special_id: UUID) -> HttpResponse:
    """Add the guest to the waitlist; redirects to their entry, or shows the form's errors."""
    now = clock.now()
    restaurant = restaurant_of_special(request, special_id)
    shown = special_on_show(restaurant, special_id, now) if restaurant else None
    if restaurant is None or shown is None:
        return no_special(request, restaurant)
    form = read_waiting_form(request.POST)
    status: int = HTTPStatus.BAD_REQUEST
    if form.customer is not None:
        try:
            refuse_strangers(request)
            with rls.acting_as(restaurant):
                place = join_line(
                    offer_id=special_id, customer=form.customer, portions=form.portions, now=now
                )
        except DomainError as error:
            form.refuse(error)
            status = error.status
            shown = special_on_show(restaurant, special_id, now) or shown
        else:
            return _see(place_path(place))
    return special_page(request, shown, OrderForm(), waiting=form, status=status)


@require_safe
@never_cache
@for_diners
def place(request: HttpRequest, token: str) -> HttpResponse:
    """The guest's place in line, and the order form once portions are reserved for them."""
    found = _place_of(request, token)
    return _no_place(request) if found is None else _page(request, found)


@csrf_exempt
@require_POST
@never_cache
@for_diners
def order(request: HttpRequest, token: str) -> HttpResponse:
    """Order the reserved portions; redirects to the payment provider's checkout page."""
    found = _place_of(request, token)
    if found is None:
        return _no_place(request)
    form = read_order_form(request.POST, offer_id=found.offer_id)
    if request.POST.get("show") == "total":
        form.forget_problems()
        return _page(request, found, form)
    try:
        refuse_strangers(request)
        if form.problems:
            return _page(request, found, form, status=HTTPStatus.BAD_REQUEST)
        wanted = HeldOrder(
            quantity=form.wanted["quantity"],
            customer=form.customer,
            claimed_total=form.claimed_total,
            note=form.wanted["note"],
            slot_id=form.wanted["slotId"],
            alternative_consent=form.wanted["alternativeConsent"],
        )
        with rls.acting_as(found.restaurant_id):
            begun = order_from_place(place_id=found.pk, wanted=wanted, now=clock.now())
    except DomainError as error:
        form.refuse(error)
        return _page(request, _place_of(request, token) or found, form, status=error.status)
    return HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": begun.checkout_url})


@csrf_exempt  # the link is the key; email clients post here too (RFC 8058)
@require_POST
@never_cache
@for_diners
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """Leave the waitlist, with one tap."""
    found = _place_of(request, token)
    if found is None:
        return _no_place(request)
    with rls.acting_as(found.restaurant_id):
        leave_line(place_id=found.pk, now=clock.now())
    return _see(place_path(found))


@dataclass(frozen=True, slots=True)
class Standing:
    """A waitlist entry in words; `number` counts from 1, and is 0 for one that does not wait."""

    title: str
    text: str
    number: int = 0
    tone: str = ""


def _page(
    request: HttpRequest,
    found: WaitingPlace,
    form: OrderForm | None = None,
    *,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    special = Special(found.offer, clock.now())
    is_kept = _is_kept(found, special)
    if form is None:
        form = OrderForm()
        form.quantity.value = str(found.portions)
        for control, value in zip(form.texts, (found.name, found.email, found.phone), strict=True):
            control.value = value
    price = price_order(found.offer, form.portions)
    with rls.acting_as(found.restaurant_id):
        context = {
            "restaurant": found.offer.restaurant,
            "special": special,
            "place": found,
            "standing": _standing(found, special),
            "is_kept": is_kept,
            "may_leave": found.state == WaitingState.WAITING or is_kept,
            "form": form,
            "form_action": place_path(found, then="/order"),
            "leave_action": place_path(found, then="/leave"),
            "limit": found.portions,
            "slots": slots_of(found.offer) if is_kept else [],
            "price": price,
            "tax_rate_bp": int(price.tax_rate * 100),
            "order_link": order_path(found.pre_order) if found.pre_order else "",
        }
        return render(request, "preorders/pages/waiting.html", context, status=status)


def _is_kept(found: WaitingPlace, special: Special) -> bool:
    is_invited = found.state == WaitingState.INVITED and found.held_until is not None
    return is_invited and special.is_open and special.now < found.held_until  # type: ignore[operator]


def _standing(found: WaitingPlace, special: Special) -> Standing:
    if _is_kept(found, special):
        assert found.held_until is not None
        until = moment(found.held_until, special.restaurant.zone)
        return Standing(
            _("It's your turn"),
            _("Reserved for you until %(until)s. After that, it's the next person's turn.")
            % {"until": until},
            tone="herb",
        )
    match found.state:
        case WaitingState.WAITING if special.is_open:
            return Standing(
                _("You're on the waitlist"),
                _(
                    "When enough portions open up, we'll reserve them for you and email you. No "
                    "card needed until then."
                ),
                number=_number_of(found),
            )
        case WaitingState.TAKEN:
            return Standing(
                _("You ordered"), _("You ordered the portions we reserved for you."), tone="herb"
            )
        case WaitingState.LEFT:
            return Standing(_("You left the waitlist"), _("You won't get more emails about this."))
        case WaitingState.INVITED | WaitingState.LAPSED if special.is_open:
            return Standing(
                _("Your time to order has passed"),
                _("Your portions went to the next person. You can join the waitlist again."),
                tone="honey",
            )
    return Standing(
        _("The waitlist has closed"),
        _("No portions opened up before the deadline. You weren't charged."),
    )


def _number_of(found: WaitingPlace) -> int:
    line = WaitingPlace.objects.filter(offer_id=found.offer_id, state=WaitingState.WAITING)
    return line.filter(joined_at__lt=found.joined_at).count() + 1


def _place_of(request: HttpRequest, token: str) -> WaitingPlace | None:
    """The entry of the link, of any restaurant; a restaurant's host finds only its own."""
    place_id = place_of_link(token)
    if place_id is None:
        return None
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        places = WaitingPlace.objects.select_related(
            "offer__restaurant__connect_account",
            "offer__photo",
            "offer__alternative_dish",
            "pre_order",
        )
        found = places.filter(pk=place_id).first()
        if found is not None and found.pre_order is not None:
            found.pre_order.offer = found.offer
        return found


def _no_place(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "preorders/pages/no_order.html",
        {
            "message": _("This waitlist link isn't valid"),
            "restaurant": tenant_of(request),
        },
        status=HTTPStatus.NOT_FOUND,
    )


def _see(path: str) -> HttpResponse:
    """Redirect after a post, so the page can be reloaded."""
    response = redirect(path)
    response.status_code = HTTPStatus.SEE_OTHER
    return response
