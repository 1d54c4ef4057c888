"""Followers of the demo's restaurants, and the email that one of them sent to its followers."""

from datetime import datetime, timedelta

from django.db import transaction

from apps.common import rls
from apps.marketing.campaigns import inviting, services, tracking
from apps.marketing.campaigns.links import destination
from apps.marketing.campaigns.rendering import render_invitation
from apps.marketing.campaigns.sending import finish_campaigns
from apps.marketing.models import Campaign, EmailInvitation
from apps.marketing.subscribers.follow import confirm_follow, request_follow
from apps.offers.models import SpecialOffer
from apps.preorders.emails.preferences import set_email_preference, subscribe_by_order
from apps.preorders.models import PreOrder, Subscriber
from apps.restaurants.models import Restaurant
from demo.plan import PlannedCampaign, PlannedRestaurant, guest_email

BETWEEN_FOLLOWERS = timedelta(hours=31)
CONFIRMED_AFTER = timedelta(minutes=4)
UNSUBSCRIBED_AFTER = timedelta(days=2)
FOLLOWED_AFTER_ORDER = timedelta(minutes=1)
# How soon after it was sent an email was delivered, opened, and clicked.
DELIVERED_AFTER, OPENED_AFTER, CLICKED_AFTER = (timedelta(minutes=n) for n in (1, 25, 27))


def make_followers(plan: PlannedRestaurant, restaurant: Restaurant, *, since: datetime) -> None:
    """Create the followers who signed up on the public page, one after the other until `since`. An
    address that the restaurant knows stays as it is. The caller acts as the restaurant."""
    names = plan.followers + plan.unsubscribed + plan.unconfirmed
    for index, name in enumerate(names):
        asked = since - BETWEEN_FOLLOWERS * (len(names) - index)
        if not _is_known(restaurant, guest_email(name)):
            _follow(plan, restaurant, name, asked=asked)


def _is_known(restaurant: Restaurant, email: str) -> bool:
    return Subscriber.objects.filter(restaurant=restaurant, email=email).exists()


@transaction.atomic
def _follow(plan: PlannedRestaurant, restaurant: Restaurant, name: str, *, asked: datetime) -> None:
    email = guest_email(name)
    request_follow(restaurant=restaurant, address=email, language="en", special_id=None, now=asked)
    row = Subscriber.objects.filter(restaurant=restaurant, email=email)
    row.update(name=name)
    if name in plan.unconfirmed:
        row.update(confirmation_due_at=None)  # asked long ago
        return
    confirm_follow(subscriber_id=row.get().pk, now=asked + CONFIRMED_AFTER)
    if name in plan.unsubscribed:
        stopped = asked + UNSUBSCRIBED_AFTER
        set_email_preference(restaurant_id=restaurant.pk, address=email, news=False, now=stopped)


def follow_after_ordering(offer: SpecialOffer) -> None:
    """Every other guest of a past special agreed to be emailed about new ones."""
    for order in PreOrder.objects.filter(offer=offer).order_by("created_at")[::2]:
        if order.customer_email and not _is_known(offer.restaurant, order.customer_email):
            subscribe_by_order(
                restaurant_id=offer.restaurant_id,
                order_id=order.pk,
                wants_news=True,
                now=order.created_at + FOLLOWED_AFTER_ORDER,
            )


@transaction.atomic
def send_campaign(plan: PlannedCampaign, offer: SpecialOffer, *, opened: datetime) -> None:
    """Email all followers about the special, unless that was done. The emails are dated in the
    past, so none is sent today. The caller acts as the restaurant."""
    if Campaign.objects.filter(special_offer=offer).exists():
        return
    sent = opened + plan.sent_after
    campaign = services.schedule_campaign(
        restaurant=offer.restaurant,
        segment=Campaign.Segment.ALL,
        special_id=offer.pk,
        subject="",
        note="",
        send_at=None,
        by=None,
        now=sent,
    )
    inviting.write_batch(campaign.pk, now=sent)
    opened_by = {guest_email(name) for name in plan.opened_by}
    clicked_by = {guest_email(name) for name in plan.clicked_by}
    for invitation in campaign.invitations.select_related(
        "campaign", "restaurant", "subscriber", "special_offer__restaurant"
    ):
        _note_sent(invitation, at=sent)
        status, after = EmailInvitation.Status.DELIVERED, DELIVERED_AFTER
        if invitation.customer_email in clicked_by:
            status, after = EmailInvitation.Status.CLICKED, CLICKED_AFTER
        elif invitation.customer_email in opened_by:
            status, after = EmailInvitation.Status.OPENED, OPENED_AFTER
        tracking.note(invitation.pk, status, now=sent + after)
    finish_campaigns(now=sent + DELIVERED_AFTER)


def _note_sent(invitation: EmailInvitation, *, at: datetime) -> None:
    EmailInvitation.objects.filter(pk=invitation.pk).update(
        status=EmailInvitation.Status.SENT,
        sent_at=at,
        claimed_at=at,
        email_subject=render_invitation(invitation, now=at).subject[:255],
        reservation_url=destination(invitation),
    )


def count_orders(*, now: datetime) -> None:
    """Connect the campaign with the orders that it led to."""
    with rls.acting_as(rls.PLATFORM):
        tracking.attribute_orders(now=now)
