"""Row locks of offers. The order everywhere is offer → pre-order → primary key."""

from uuid import UUID

from apps.offers.models import SpecialOffer


def lock_offer(offer_id: UUID) -> SpecialOffer:
    """The offer with its restaurant and payment account; the offer alone is locked, until the
    caller's transaction ends.

    Raises SpecialOffer.DoesNotExist (also for another restaurant's), and TransactionManagementError
    outside a transaction, where a lock would mean nothing.
    """
    offers = SpecialOffer.objects.select_related("restaurant__connect_account")
    return offers.select_for_update(of=("self",)).get(pk=offer_id)
