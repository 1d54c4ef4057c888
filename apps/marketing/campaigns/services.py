"""Scheduling and canceling a campaign."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction

from apps.accounts.models import User
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import formats
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.marketing.announcements import save_announcement
from apps.marketing.campaigns.allowance import emails_left, return_emails
from apps.marketing.campaigns.segments import recipients
from apps.marketing.models import Campaign, EmailInvitation
from apps.offers.models import SpecialOffer
from apps.offers.storefront import takes_orders
from apps.restaurants.entitlements import invitations_per_month
from apps.restaurants.models import Restaurant

MAX_SCHEDULED_AHEAD = timedelta(days=60)
NOBODY = "Nobody would get this email. Choose another group, or wait until somebody follows you."
NO_SPECIAL = "This special can't be ordered right now. Choose another one."
NO_SPECIALS = "You have no special that guests can order right now. Publish one first."
NO_ADDRESS = (
    "Add your restaurant's street and city in the settings. An email to many people has to show "
    "them."
)
PAST = "Choose a time in the future."
TOO_LATE = "Choose a time before the special's deadline."
TOO_FAR = "Choose a time within the next 60 days."
OVER_LIMIT = (
    "This would email {wanted}, but {left} of this month's {limit} are left. Choose a smaller "
    "group, upgrade your plan, or wait until next month."
)
ALREADY_SENT = "This email has been sent, so it can't be stopped anymore."
UNKNOWN = "We couldn't find this email. Go back to the list."


@transaction.atomic
def schedule_campaign(
    *,
    restaurant: Restaurant,
    segment: str,
    special_id: UUID | None,
    subject: str,
    note: str,
    send_at: datetime | None,
    by: User | None,
    now: datetime,
) -> Campaign:
    """Schedule an email to a segment: about one special, or about all that are open; `send_at`
    None is now.

    Raises NotFound for a special that isn't the restaurant's, Invalid for a time that doesn't fit,
    and Conflict if nobody would get it, nothing can be ordered, the month's emails don't suffice,
    or the restaurant has no address to show.
    """
    fresh = Restaurant.objects.get(pk=restaurant.pk)
    if not has_address(fresh):
        raise Conflict(NO_ADDRESS)
    offer = _special(restaurant, special_id, now=now)
    moment = send_at or now
    _check_time(moment, offer, now=now)
    wanted = recipients(restaurant, segment, special_offer=offer).count()
    if not wanted:
        raise Conflict(NOBODY)
    left = emails_left(fresh, now=now)
    # A campaign for another month uses that month's emails.
    is_this_month = _month(moment, restaurant) == _month(now, restaurant)
    if wanted > (left if is_this_month else invitations_per_month(fresh)):
        raise Conflict(
            OVER_LIMIT.format(
                wanted=formats.count(wanted, "follower"),
                left=formats.count(left, "email"),
                limit=f"{invitations_per_month(fresh):,}",
            )
        )
    announcement = None
    if note and by is not None:
        announcement = save_announcement(
            restaurant=restaurant, message=note, platforms=[], by=by, now=now
        )
    campaign = Campaign.objects.create(
        restaurant=restaurant,
        segment=segment,
        special_offer=offer,
        announcement=announcement,
        subject=subject,
        note=note,
        send_at=moment,
        created_by=by,
        created_at=now,
    )
    record(
        Kind.CAMPAIGN_SCHEDULED,
        restaurant=restaurant,
        about=("campaign", campaign.pk),
        segment=segment,
        recipients=wanted,
        now=now,
    )
    return campaign


def _special(
    restaurant: Restaurant, special_id: UUID | None, *, now: datetime
) -> SpecialOffer | None:
    open_ones = SpecialOffer.objects.open(now).filter(restaurant=restaurant)
    if special_id is None:
        if not open_ones.exists():
            raise Conflict(NO_SPECIALS)
        return None
    found = SpecialOffer.objects.for_display().filter(restaurant=restaurant, pk=special_id).first()
    if found is None:
        raise NotFound(NO_SPECIAL)
    if not takes_orders(found, now):
        raise Conflict(NO_SPECIAL)
    return found


def _check_time(moment: datetime, offer: SpecialOffer | None, *, now: datetime) -> None:
    wrong = ""
    if moment < now:
        wrong = PAST
    elif offer is not None and moment >= offer.deadline:
        wrong = TOO_LATE
    elif moment > now + MAX_SCHEDULED_AHEAD:
        wrong = TOO_FAR
    if wrong:
        raise Invalid(wrong, fields=[FieldError("send_at", wrong)])


def _month(moment: datetime, restaurant: Restaurant) -> tuple[int, int]:
    local = moment.astimezone(restaurant.zone)
    return local.year, local.month


@transaction.atomic
def cancel_campaign(*, restaurant: Restaurant, campaign_id: UUID, now: datetime) -> Campaign:
    """Stop a campaign: emails that aren't sent yet never are. Raises NotFound, and Conflict once
    all are sent."""
    campaign = (
        Campaign.objects.select_for_update(of=("self",))
        .filter(restaurant=restaurant, pk=campaign_id)
        .first()
    )
    if campaign is None:
        raise NotFound(UNKNOWN)
    if campaign.status == Campaign.Status.CANCELED:
        return campaign
    if campaign.status == Campaign.Status.SENT:
        raise Conflict(ALREADY_SENT)
    dropped = campaign.invitations.filter(
        status=EmailInvitation.Status.QUEUED, claimed_at=None
    ).update(status=EmailInvitation.Status.DROPPED)
    return_emails(restaurant, dropped, now=now)
    campaign.status, campaign.finished_at = Campaign.Status.CANCELED, now
    campaign.save(update_fields=["status", "finished_at"])
    record(
        Kind.CAMPAIGN_CANCELED,
        restaurant=restaurant,
        about=("campaign", campaign.pk),
        now=now,
    )
    return campaign


def has_address(restaurant: Restaurant) -> bool:
    """Whether emails to followers can show where the sender is (decision 119)."""
    return bool(restaurant.street_address and restaurant.city)


def pace() -> int:
    """Emails an hour that one restaurant's campaigns send."""
    limit: int = settings.CAMPAIGN_EMAILS_PER_HOUR
    return limit
