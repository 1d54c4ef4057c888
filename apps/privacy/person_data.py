"""What is stored about an email address, everywhere: the counterpart of `erasure.erase_person`.

For people who ask the platform and not one restaurant (decision 64).
"""

from typing import Any

from apps.accounts.services.accounts import account_for_email
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.marketing.models import EmailInvitation
from apps.preorders.guest.data_export import consent_of, guest_data
from apps.preorders.models import PreOrder, Subscriber, WaitlistEntry
from apps.privacy.account_data import about_the_address, account_data
from apps.restaurants.models import Restaurant


def person_data(*, email: str) -> dict[str, Any]:
    """The data, ready for JSON; times are UTC. Notes in each restaurant's log that it was exported.

    An address that nobody uses has no account (None) and no orders.
    """
    address = email.strip().lower()
    user = account_for_email(address)
    with rls.acting_as(rls.PLATFORM):
        orders = PreOrder.objects.filter(customer_email__iexact=address)
        entries = WaitlistEntry.objects.filter(email=address)
        preferences = Subscriber.objects.filter(email=address)
        of_guest = Restaurant.objects.filter(pk__in=orders.values("restaurant"))
        newest = (
            orders.filter(restaurant=each).select_related("offer__restaurant").latest("created_at")
            for each in of_guest.order_by("pk")
        )
        found = [guest_data(order) for order in newest]
        for restaurant in of_guest:
            record(Kind.GUEST_DATA_DOWNLOADED, restaurant=restaurant)
        without_order = Restaurant.objects.exclude(pk__in=of_guest)
        return {
            "email": address,
            "account": account_data(user) if user else None,
            "asGuest": found,
            "waitingListsWithoutOrder": [
                {
                    "restaurant": each.restaurant.name,
                    "special": each.offer.name,
                    "name": each.name,
                    "phone": each.phone,
                    "portions": each.portions,
                    "joinedAt": each.joined_at,
                }
                for each in entries.filter(restaurant__in=without_order)
                .select_related("restaurant", "offer")
                .order_by("joined_at", "pk")
            ],
            "emailsAboutSpecials": [
                {
                    "restaurant": each.restaurant.name,
                    "subject": each.email_subject,
                    "status": each.status,
                    "sentAt": each.sent_at,
                    "openedAt": each.opened_at,
                    "clickedAt": each.clicked_at,
                }
                for each in EmailInvitation.objects.filter(customer_email=address)
                .select_related("restaurant")
                .order_by("created_at", "pk")
            ],
            "emailPreferencesWithoutOrder": [
                {
                    "restaurant": each.restaurant.name,
                    "news": each.news,
                    "reminders": each.reminders,
                    "changedAt": each.changed_at,
                    "consent": consent_of(each),
                }
                for each in preferences.filter(restaurant__in=without_order)
                .select_related("restaurant")
                .order_by("pk")
            ],
            **about_the_address(address),
        }
