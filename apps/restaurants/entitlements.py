"""What a plan includes, by name: the one place that pages, the API, and emails ask (X66).

Plan pages list `features_of`. So that they can't sell what doesn't exist,
tests/restaurants/test_entitlements.py fails for a feature that no code checks with `includes` or
`require`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings

from apps.common.error_codes import ErrorCode
from apps.common.errors import Forbidden
from apps.restaurants.models import Restaurant


class Feature(StrEnum):
    """What a plan can include besides its revenue share."""

    EMBEDDING = "embedding"
    ANALYTICS = "analytics"
    OWN_DOMAIN = "own_domain"
    BRANDING = "branding"
    OUR_NAME_HIDDEN = "our_name_hidden"


@dataclass(frozen=True, slots=True)
class FeatureText:
    """A feature in words: on plan pages, where a plan doesn't include it, and when it ends."""

    label: str
    refusal: str
    ending: str


FEATURE_TEXTS: Mapping[Feature, FeatureText] = {
    Feature.EMBEDDING: FeatureText(
        label="Your specials on your own site",
        refusal="Showing your specials on your own site is part of the Branded plan. Upgrade to "
        "use it.",
        ending="If your own site shows your specials, it will show a link to them instead.",
    ),
    Feature.ANALYTICS: FeatureText(
        label="Sales analytics",
        refusal="Analytics are part of the Branded plan. Upgrade to see how your specials perform.",
        ending=(
            "Sales analytics will close. Nothing is deleted, and they come back if you upgrade "
            "again."
        ),
    ),
    Feature.OWN_DOMAIN: FeatureText(
        label="Your own domain",
        refusal="Your own domain is part of the Branded plan. Upgrade to use it.",
        ending=(
            "If you use your own domain, its pages move back to your Fully Booked address. For 30 "
            "days, the domain redirects there."
        ),
    ),
    Feature.BRANDING: FeatureText(
        label="Your logo, color, and cover photo on your pages and emails",
        refusal="Your own look is part of the Branded plan. Upgrade to use it.",
        ending="Your logo, color, cover photo, and footer disappear from your pages and emails. "
        "They're saved, and they come back if you upgrade again.",
    ),
    Feature.OUR_NAME_HIDDEN: FeatureText(
        label="Your pages without our name",
        refusal="Pages without our name are part of the Branded plan. Upgrade to use them.",
        ending="Our name will be on your pages and emails again.",
    ),
}

_FEATURES: Mapping[str, frozenset[Feature]] = {
    Restaurant.Tier.FREE: frozenset(),
    Restaurant.Tier.BRANDED: frozenset(Feature),
    Restaurant.Tier.ENTERPRISE: frozenset(Feature),
}
# Higher is more: a plan with at least the same rank includes everything of the other.
_RANKS: Mapping[str, int] = {
    Restaurant.Tier.FREE: 0,
    Restaurant.Tier.BRANDED: 1,
    Restaurant.Tier.ENTERPRISE: 1,
}
_PLAN_NAMES: Mapping[str, str] = {
    Restaurant.Tier.FREE: "Free",
    Restaurant.Tier.BRANDED: "Branded",
    Restaurant.Tier.ENTERPRISE: "Branded",
}


def plan_name(tier: str) -> str:
    """The plan's one name for people: Free or Branded (DECISIONS X6)."""
    return _PLAN_NAMES[tier]


def is_downgrade(before: str, after: str) -> bool:
    """Whether `after` includes less than `before`."""
    return _RANKS[after] < _RANKS[before]


def includes(restaurant: Restaurant, feature: Feature) -> bool:
    """Whether the restaurant's present plan includes the feature."""
    return feature in _FEATURES[restaurant.subscription_tier]


def require(restaurant: Restaurant, feature: Feature) -> None:
    """Raises Forbidden, with what to do, if the plan doesn't include the feature."""
    if not includes(restaurant, feature):
        raise Forbidden(FEATURE_TEXTS[feature].refusal, code=ErrorCode.NOT_IN_PLAN)


def invitations_per_month(restaurant: Restaurant) -> int:
    """How many people the restaurant can email about its specials in a calendar month."""
    if restaurant.subscription_tier == Restaurant.Tier.FREE:
        return settings.FREE_INVITATIONS_PER_MONTH
    return settings.BRANDED_INVITATIONS_PER_MONTH


def features_of(tier: str) -> list[str]:
    """What the plan includes, as plan pages list it."""
    labels = [text.label for feature, text in FEATURE_TEXTS.items() if feature in _FEATURES[tier]]
    return labels if tier == Restaurant.Tier.FREE else ["Unlimited specials", *labels]


def endings(before: str, after: str) -> list[str]:
    """What ends with the features that `after` doesn't include, in sentences."""
    lost = _FEATURES[before] - _FEATURES[after]
    return [text.ending for feature, text in FEATURE_TEXTS.items() if feature in lost]


def upgrade_summary() -> str:
    """What the Branded plan adds to the Free one, in a sentence."""
    first, *rest = features_of(Restaurant.Tier.BRANDED)
    *between, last = (label[0].lower() + label[1:] for label in rest)
    return f"{', '.join([first, *between])}, and {last}."
