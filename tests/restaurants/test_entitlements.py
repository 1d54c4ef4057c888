"""What a plan includes, decided in one place (DECISIONS X66)."""

import re
from pathlib import Path

import pytest

from apps.common.errors import Forbidden
from apps.restaurants import entitlements
from apps.restaurants.entitlements import FEATURE_TEXTS, Feature
from apps.restaurants.models import Restaurant

APPS = Path(__file__).resolve().parents[2] / "apps"


def source(name: str) -> str:
    """The product's code without the module that defines the features."""
    files = [path for path in APPS.rglob("*.py") if path != Path(entitlements.__file__)]
    return "\n".join(path.read_text() for path in files if re.search(name, path.read_text()))


@pytest.mark.parametrize("feature", Feature)
def test_a_plan_can_only_sell_what_some_code_asks_for(feature: Feature) -> None:
    asked = re.search(rf"(includes|require)\([^()]*Feature\.{feature.name}\b", source("Feature"))
    assert asked, f"nothing asks whether a plan includes {feature}"
    assert FEATURE_TEXTS[feature].label


@pytest.mark.parametrize("feature", Feature)
@pytest.mark.parametrize("tier", Restaurant.Tier)
def test_the_paid_plans_include_every_feature_and_the_free_one_none(
    feature: Feature, tier: str
) -> None:
    restaurant, has = Restaurant(subscription_tier=tier), tier != "free"
    assert entitlements.includes(restaurant, feature) is has
    if has:
        entitlements.require(restaurant, feature)
    else:
        with pytest.raises(Forbidden, match="Branded plan") as refused:
            entitlements.require(restaurant, feature)
        assert refused.value.code == "not_in_plan"


def test_no_other_module_compares_a_feature_with_a_tier() -> None:
    """A page that decides by the tier itself would go on selling what the plan doesn't have."""
    allowed = {"apps/restaurants/tiers.py", "apps/restaurants/entitlements.py"}
    found = {
        str(path.relative_to(APPS.parent))
        for path in APPS.rglob("*.py")
        if re.search(r"subscription_tier [!=]= ", path.read_text())
    }
    # What these decide is the fee, or which of two screens is shown (P6), not a feature.
    screens = {
        "apps/billing/views/settings.py",
        "apps/marketing/views/quick_start.py",
        "apps/restaurants/emails.py",
        "apps/restaurants/views/onboarding.py",
    }
    assert found <= allowed | screens


def test_the_number_of_invitations_follows_the_settings(settings) -> None:
    settings.FREE_INVITATIONS_PER_MONTH, settings.BRANDED_INVITATIONS_PER_MONTH = 7, 70
    limits = [
        entitlements.invitations_per_month(Restaurant(subscription_tier=tier))
        for tier in Restaurant.Tier
    ]
    assert limits == [7, 70, 70]
