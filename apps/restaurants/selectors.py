"""Restaurants as others look for them."""

from uuid import UUID

from apps.restaurants.models import Restaurant


def active_restaurant_by_id(restaurant_id: UUID | str) -> Restaurant | None:
    """The restaurant with this id when it is open to the public; None otherwise, or for no id."""
    try:
        key = restaurant_id if isinstance(restaurant_id, UUID) else UUID(restaurant_id)
    except ValueError:
        return None
    return Restaurant.objects.filter(pk=key, status=Restaurant.Status.ACTIVE).first()
