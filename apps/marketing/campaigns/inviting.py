"""Writing a campaign's invitations, in batches. A worker that dies leaves only complete batches."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from apps.marketing.campaigns.allowance import reserve_emails
from apps.marketing.campaigns.segments import recipients
from apps.marketing.models import Campaign, EmailAnnouncementUsage, EmailInvitation
from apps.offers.models import SpecialOffer
from apps.offers.storefront import takes_orders
from apps.preorders.models import Subscriber
from apps.restaurants.entitlements import invitations_per_month
from apps.restaurants.models import Restaurant

BATCH_SIZE = 500  # invitations of one transaction

Status = Campaign.Status


def campaigns_to_invite(*, now: datetime, limit: int = 50) -> list[UUID]:
    """Campaigns whose time has come and whose invitations aren't all written. The caller acts as
    the platform."""
    due = Campaign.objects.filter(
        status__in=[Status.SCHEDULED, Status.SENDING], is_invited=False, send_at__lte=now
    )
    return list(due.order_by("send_at").values_list("pk", flat=True)[:limit])


@transaction.atomic
def write_batch(campaign_id: UUID, *, now: datetime) -> bool:
    """Write the next invitations; False if all are written, or another worker is writing them.

    One transaction writes the invitations, counts the emails they take from the month's allowance,
    and records how far the campaign is.
    """
    campaign = (
        Campaign.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("restaurant")
        .filter(
            pk=campaign_id,
            status__in=[Status.SCHEDULED, Status.SENDING],
            is_invited=False,
            send_at__lte=now,
        )
        .first()
    )
    if campaign is None:
        return False
    restaurant = campaign.restaurant
    about = [] if campaign.special_offer_id is None else [campaign.special_offer_id]
    offer = SpecialOffer.objects.for_display().filter(pk__in=about).first()
    if restaurant.status != Restaurant.Status.ACTIVE or not _is_useful(campaign, offer, now):
        campaign.status, campaign.is_invited = Status.CANCELED, True
        campaign.finished_at = now
        campaign.save(update_fields=["status", "is_invited", "finished_at"])
        return False
    usage = _usage_of(campaign, now=now)
    found = recipients(restaurant, campaign.segment, special_offer=offer, kind=campaign.kind)
    if campaign.invited_up_to:
        found = found.filter(pk__gt=campaign.invited_up_to)
    batch = list(found[:BATCH_SIZE])
    allowed = reserve_emails(restaurant.pk, len(batch), now=now)
    _write(campaign, batch[:allowed], now=now)
    if campaign.kind == Campaign.Kind.RETURN:
        invited = Subscriber.objects.filter(pk__in=[each.pk for each in batch[:allowed]])
        invited.update(wanted_offer=None)
    usage.emails_sent_count += allowed
    usage.save(update_fields=["emails_sent_count"])
    campaign.status = Status.SENDING
    campaign.limit_reached = allowed < len(batch)
    campaign.is_invited = campaign.limit_reached or len(batch) < BATCH_SIZE
    if allowed:
        campaign.invited_up_to = batch[allowed - 1].pk
    campaign.save(update_fields=["status", "limit_reached", "is_invited", "invited_up_to"])
    return not campaign.is_invited


def _is_useful(campaign: Campaign, offer: SpecialOffer | None, now: datetime) -> bool:
    if campaign.special_offer_id is None:
        return SpecialOffer.objects.open(now).filter(restaurant=campaign.restaurant_id).exists()
    return offer is not None and takes_orders(offer, now)


def _usage_of(campaign: Campaign, *, now: datetime) -> EmailAnnouncementUsage:
    restaurant = campaign.restaurant
    offers = [campaign.special_offer_id] if campaign.special_offer_id else []
    found, _is_new = EmailAnnouncementUsage.objects.get_or_create(
        campaign=campaign,
        defaults={
            "restaurant": restaurant,
            "announcement_id": campaign.announcement_id,
            "special_offer_ids": [str(each) for each in offers],
            "announcement_message": campaign.note,
            "tier_type": restaurant.subscription_tier,
            "limit_applied": invitations_per_month(restaurant),
            "created_at": now,
        },
    )
    return found


def _write(campaign: Campaign, batch: list[Subscriber], *, now: datetime) -> None:
    EmailInvitation.objects.bulk_create(
        [
            EmailInvitation(
                restaurant_id=campaign.restaurant_id,
                campaign=campaign,
                special_offer_id=campaign.special_offer_id,
                announcement_id=campaign.announcement_id,
                subscriber=each,
                customer_email=each.email,
                customer_name=each.name,
                language=each.language,
                status=EmailInvitation.Status.QUEUED,
                due_at=now,
                created_at=now,
            )
            for each in batch
        ]
    )
