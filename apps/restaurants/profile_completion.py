"""When a restaurant's profile and its marketing count as complete (A17, D6, D30).

Both answers are kept on the restaurant and written again with every change of what they depend on.
The payment account's is kept by billing, from what the processor says.
"""

from collections.abc import Mapping

from apps.restaurants import regions
from apps.restaurants.models import Restaurant

# What a guest needs to find the restaurant and to reach it, and whom the platform speaks to.
PROFILE_FIELDS: Mapping[str, str] = {
    "name": "name",
    "owner_name": "owner's name",
    "phone": "phone",
    "street_address": "street address",
    "city": "city",
    "country": "country",
}


def missing_profile_fields(restaurant: Restaurant) -> list[str]:
    """What a profile still lacks, in people's words; a state only where there are states (R91)."""
    missing = [label for name, label in PROFILE_FIELDS.items() if not getattr(restaurant, name)]
    if regions.is_united_states(restaurant.country) and not restaurant.state:
        missing.append("state")
    return missing


def is_profile_complete(restaurant: Restaurant) -> bool:
    return not missing_profile_fields(restaurant)


def is_marketing_complete(restaurant: Restaurant) -> bool:
    """There is a page to announce specials on, or the owner said that there will be none."""
    return restaurant.marketing_opt_out or any(restaurant.social_media_links.values())
