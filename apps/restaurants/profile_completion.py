"""Whether a restaurant's profile and marketing setup are complete.

Both results are stored on the restaurant and updated with every change they depend on. Billing
maintains the one for the payment account.
"""

from collections.abc import Mapping

from apps.restaurants import regions
from apps.restaurants.models import Restaurant

# What guests need to find and reach the restaurant, and a contact for the platform.
PROFILE_FIELDS: Mapping[str, str] = {
    "name": "name",
    "owner_name": "owner's name",
    "phone": "phone",
    "street_address": "street address",
    "city": "city",
    "country": "country",
}


def missing_profile_fields(restaurant: Restaurant) -> list[str]:
    """Labels of the missing profile fields; a state is required only in the United States."""
    missing = [label for name, label in PROFILE_FIELDS.items() if not getattr(restaurant, name)]
    if regions.is_united_states(restaurant.country) and not restaurant.state:
        missing.append("state")
    return missing


def is_profile_complete(restaurant: Restaurant) -> bool:
    return not missing_profile_fields(restaurant)


def is_marketing_complete(restaurant: Restaurant) -> bool:
    """Whether there is a social media page to announce specials on, or the owner opted out."""
    return restaurant.marketing_opt_out or any(restaurant.social_media_links.values())
