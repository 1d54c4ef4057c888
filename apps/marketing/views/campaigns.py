"""The owner's pages of emails to followers: composing one, its preview, and what came of it."""

from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.models import User
from apps.accounts.rate_limits import EMAILS_PER_RECIPIENT
from apps.common import clock
from apps.common.errors import Conflict, DomainError
from apps.common.languages import ENGLISH
from apps.marketing.campaigns import services
from apps.marketing.campaigns.allowance import emails_left
from apps.marketing.campaigns.rendering import Rendered, message_of, render_campaign
from apps.marketing.campaigns.segments import recipients, segment_sizes
from apps.marketing.campaigns.selectors import campaign_of, invitations_of, last_email_about
from apps.marketing.forms import CampaignForm
from apps.marketing.models import Campaign
from apps.offers.presentation import Special
from apps.offers.storefront import open_specials
from apps.restaurants.entitlements import invitations_per_month
from apps.restaurants.hosts import absolute_url
from apps.restaurants.member_access import member_page
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import CurrentMembership, Permission

TEST_SENT = "We sent a test to {address}."
TEST_NOT_SENT = "We couldn't send the test right now. Try again in a minute."
SENDING = "Your email is on its way."
SCHEDULED = "Your email is scheduled."
STOPPED = "The email is stopped. Anyone who hasn't received it yet won't get it."
TEST_REASON = "This is a test. Followers also get a link to unsubscribe here."


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@member_page(Permission.EDIT_OFFERS)
def new_campaign(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Compose an email: `do` says whether to preview it, to send a test, or to send it."""
    restaurant, now = membership.restaurant, clock.now()
    specials = [each for each in open_specials(restaurant, now) if each.takes_orders]
    if request.method != "POST":
        asked = {"special": request.GET.get("special", ""), "segment": Campaign.Segment.ALL}
        return _compose(request, restaurant, specials, CampaignForm(asked, zone=restaurant.zone))
    form = CampaignForm(request.POST, zone=restaurant.zone)
    action = request.POST.get("do", "preview")
    if not form.is_valid():
        return _compose(request, restaurant, specials, form, status=HTTPStatus.BAD_REQUEST)
    if action == "preview":
        return _compose(request, restaurant, specials, form)
    assert isinstance(request.user, User)  # member_page
    try:
        if action == "test":
            _send_test(request.user, restaurant, specials, form)
            messages.success(request, TEST_SENT.format(address=request.user.email))
            return _compose(request, restaurant, specials, form)
        campaign = services.schedule_campaign(
            restaurant=restaurant,
            segment=form.cleaned_data["segment"],
            special_id=form.cleaned_data["special"],
            subject=form.cleaned_data["subject"],
            note=form.cleaned_data["note"],
            send_at=form.cleaned_data["send_at"],
            by=request.user,
            now=now,
        )
    except DomainError as refusal:
        field = refusal.fields[0].field if refusal.fields else None
        form.add_error(field if field in form.fields else None, refusal.message)
        return _compose(request, restaurant, specials, form, status=refusal.status)
    messages.success(request, SCHEDULED if campaign.send_at > now else SENDING)
    return redirect("campaign", campaign_id=campaign.pk)


@require_safe
@never_cache
@member_page(Permission.EDIT_OFFERS)
def campaign(
    request: HttpRequest, membership: CurrentMembership, campaign_id: UUID
) -> HttpResponse:
    """What came of one email."""
    try:
        found = campaign_of(membership.restaurant, campaign_id)
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return redirect("audience")
    context = {
        "restaurant": membership.restaurant,
        "campaign": found,
        "invitations": invitations_of(found),
        "is_under_way": found.status in (Campaign.Status.SCHEDULED, Campaign.Status.SENDING),
        "sees_addresses": membership.can(Permission.EXPORT_ORDERS),
    }
    return render(request, "marketing/audience/campaign.html", context)


@require_POST
@member_page(Permission.EDIT_OFFERS)
def stop(request: HttpRequest, membership: CurrentMembership, campaign_id: UUID) -> HttpResponse:
    try:
        services.cancel_campaign(
            restaurant=membership.restaurant, campaign_id=campaign_id, now=clock.now()
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, STOPPED)
    return redirect("campaign", campaign_id=campaign_id)


def _compose(
    request: HttpRequest,
    restaurant: Restaurant,
    specials: list[Special],
    form: CampaignForm,
    *,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    now = clock.now()
    special = _chosen(form, specials)
    segment = form.data.get("segment", "")
    wanted = 0
    if segment in Campaign.Segment.values:
        offer = special.offer if special else None
        wanted = recipients(restaurant, segment, special_offer=offer).count()
    sizes = segment_sizes(restaurant)
    preview = _preview(restaurant, specials, form) if specials else None
    listed = zip(preview.specials, specials, strict=False) if preview else ()
    context = {
        "restaurant": restaurant,
        "has_address": services.has_address(restaurant),
        "form": form,
        "is_sent_back": bool(form.errors),
        "values": {name: form.data.get(name, "") for name in form.fields},
        "specials": specials,
        "segments": [(value, label, sizes[value]) for value, label in Campaign.Segment.choices],
        "wanted": wanted,
        "earlier": last_email_about(special.offer) if special else None,
        "preview": preview,
        # Of this host: the page can't load what is at the restaurant's (its content policy).
        "photo": _photo(special) if special else "",
        "listed": [{**row, "photo": _photo(each)} for row, each in listed],
        "left": emails_left(restaurant, now=now),
        "limit": invitations_per_month(restaurant),
        "zone": _zone_name(restaurant, now),
    }
    return render(request, "marketing/audience/compose.html", context, status=status)


def _photo(special: Special) -> str:
    return special.picture.url if special.picture else ""


def _zone_name(restaurant: Restaurant, now: datetime) -> str:
    return now.astimezone(restaurant.zone).tzname() or restaurant.timezone


def _chosen(form: CampaignForm, specials: list[Special]) -> Special | None:
    asked = form.data.get("special", "")
    return next((each for each in specials if str(each.offer.pk) == asked), None)


def _preview(restaurant: Restaurant, specials: list[Special], form: CampaignForm) -> Rendered:
    return render_campaign(
        restaurant,
        kind=Campaign.Kind.ANNOUNCEMENT,
        special=_chosen(form, specials),
        specials=specials,
        subject=form.data.get("subject", ""),
        note=form.data.get("note", ""),
    )


def _send_test(
    user: User, restaurant: Restaurant, specials: list[Special], form: CampaignForm
) -> None:
    """Email the member what followers would get. Raises Conflict without a special, or if the
    server doesn't take it now; TooManyAttempts after a few."""
    if not specials:
        raise Conflict(services.NO_SPECIALS)
    EMAILS_PER_RECIPIENT.count(user.email)
    special = _chosen(form, specials)
    with translation.override(ENGLISH):
        words: Any = _preview(restaurant, specials, form)
        message = message_of(
            words,
            restaurant,
            to=user.email,
            url=special.url if special else absolute_url("/specials", restaurant=restaurant),
            reason=TEST_REASON,
        )
    try:
        message.send()
    except OSError as error:
        raise Conflict(TEST_NOT_SENT) from error
