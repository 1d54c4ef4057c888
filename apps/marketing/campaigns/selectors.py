"""Reads of campaigns: the list, and the results of each."""

from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from apps.common.errors import NotFound
from apps.marketing.campaigns.services import UNKNOWN
from apps.marketing.models import Campaign, EmailInvitation
from apps.offers.models import SpecialOffer
from apps.restaurants.models import Restaurant

MAX_LISTED = 30
MAX_INVITATIONS = 100
Status = EmailInvitation.Status
# What each figure counts: everybody who got at least this far.
_REACHED = {
    "sent": Q(invitations__sent_at__isnull=False),
    "delivered": Q(invitations__delivered_at__isnull=False),
    "opened": Q(invitations__opened_at__isnull=False),
    "clicked": Q(invitations__clicked_at__isnull=False),
    "ordered": Q(invitations__ordered_at__isnull=False),
    "waiting": Q(invitations__status=Status.QUEUED),
    "dropped": Q(invitations__status=Status.DROPPED),
    "failed": Q(invitations__status=Status.FAILED),
}


def campaigns_of(restaurant: Restaurant) -> list[Campaign]:
    """The latest campaigns with their figures, newest first."""
    return list(_with_figures(restaurant).order_by("-created_at", "pk")[:MAX_LISTED])


def campaign_of(restaurant: Restaurant, campaign_id: UUID) -> Campaign:
    """One campaign with its figures. Raises NotFound."""
    found = _with_figures(restaurant).filter(pk=campaign_id).first()
    if found is None:
        raise NotFound(UNKNOWN)
    return found


def last_email_about(special_offer: SpecialOffer) -> Campaign | None:
    """The latest campaign about the special alone that wasn't stopped, with its figures."""
    found = _with_figures(special_offer.restaurant).filter(special_offer=special_offer)
    return found.exclude(status=Campaign.Status.CANCELED).order_by("-created_at", "pk").first()


def _with_figures(restaurant: Restaurant) -> QuerySet[Campaign]:
    campaigns = Campaign.objects.filter(restaurant=restaurant).select_related("special_offer")
    return campaigns.annotate(
        **{name: Count("invitations", filter=which) for name, which in _REACHED.items()},
        invited=Count("invitations"),
    )


def invitations_of(campaign: Campaign) -> list[EmailInvitation]:
    """The campaign's invitations, those that got furthest first; at most `MAX_INVITATIONS`."""
    latest = ("ordered_at", "clicked_at", "opened_at", "sent_at")
    rows = campaign.invitations.order_by(*(F(each).desc(nulls_last=True) for each in latest), "pk")
    return list(rows[:MAX_INVITATIONS])
