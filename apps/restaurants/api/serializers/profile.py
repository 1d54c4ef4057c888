"""Response serializers of a restaurant, for its team and for guests.

Responses contain every field twice, at the top level and under `restaurant`, because clients read
either (DECISIONS X28).
"""

from datetime import datetime
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.models import User
from apps.common.api.fields import PercentageField
from apps.restaurants.api.serializers.profile_changes import HOURS_SCHEMA
from apps.restaurants.api.serializers.sign_in import OwnRestaurantSerializer
from apps.restaurants.models import Restaurant
from apps.restaurants.profile_completion import missing_profile_fields
from apps.restaurants.services.profile import has_fixed_currency, profile_version
from apps.restaurants.setup_steps import StepKey, setup_steps
from apps.restaurants.tiers import has_reached_limit, offers_this_month

LINKS_SCHEMA = {"type": "object", "additionalProperties": {"type": "string"}}


@extend_schema_field(HOURS_SCHEMA)
class HoursOut(serializers.JSONField):
    pass


@extend_schema_field(LINKS_SCHEMA)
class LinksOut(serializers.JSONField):
    """Links by platform: facebook, instagram, twitter. Missing ones are left out."""


class PublicRestaurantSerializer(serializers.Serializer[Restaurant]):
    """The public fields."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    spanishDescription = serializers.CharField(source="spanish_description")
    streetAddress = serializers.CharField(source="street_address")
    city = serializers.CharField()
    state = serializers.CharField()
    zipCode = serializers.CharField(source="zip_code")
    country = serializers.CharField()
    address = serializers.CharField()
    latitude = serializers.FloatField(allow_null=True)
    longitude = serializers.FloatField(allow_null=True)
    timezone = serializers.CharField()
    currency = serializers.CharField(help_text="ISO 4217 in lower case; applies to every amount.")
    phone = serializers.CharField()
    website = serializers.CharField()
    cuisineType = serializers.CharField(source="cuisine_type")
    hoursOfOperation = HoursOut(source="hours_of_operation")
    dineInNote = serializers.CharField(source="dine_in_note")
    pickupNote = serializers.CharField(source="pickup_note")
    spanishDineInNote = serializers.CharField(source="spanish_dine_in_note")
    spanishPickupNote = serializers.CharField(source="spanish_pickup_note")
    socialMediaLinks = LinksOut(source="social_media_links")
    showsRatings = serializers.BooleanField(source="shows_ratings")
    showMapOnPatronMenu = serializers.BooleanField(source="show_map_on_patron_menu")
    asksForPhone = serializers.BooleanField(
        source="asks_for_phone", help_text="Whether guests must give a phone number to order."
    )
    openingDay = serializers.DateField(
        source="opening_day",
        allow_null=True,
        help_text="When it plans to take orders; null if it didn't say.",
    )
    subscriptionTier = serializers.CharField(source="subscription_tier")
    subdomain = serializers.CharField()
    slug = serializers.CharField()


class PublicRestaurantAnswer(PublicRestaurantSerializer):
    restaurant = PublicRestaurantSerializer(source="*")


class CompletionSerializer(serializers.Serializer[Restaurant]):
    profileCompleted = serializers.BooleanField(source="profile_completed")
    marketingCompleted = serializers.BooleanField(source="marketing_completed")
    stripeCompleted = serializers.BooleanField(source="stripe_completed")


class SetupStepSerializer(serializers.Serializer[Any]):
    key = serializers.ChoiceField(choices=[str(each) for each in StepKey])
    title = serializers.CharField()
    text = serializers.CharField()
    url = serializers.CharField(help_text="The page on which it is done.")
    isDone = serializers.BooleanField(source="is_done")
    isNeeded = serializers.BooleanField(
        source="is_needed", help_text="Whether guests can't order without it."
    )


class CompletionAnswer(CompletionSerializer):
    """Needs the requesting `user` in its context."""

    steps = serializers.SerializerMethodField(
        help_text="The steps to a special that guests can order, in their order."
    )

    @extend_schema_field(SetupStepSerializer(many=True))
    def get_steps(self, restaurant: Restaurant) -> Any:
        user = cast(dict[str, Any], self.context)["user"]
        return SetupStepSerializer(setup_steps(restaurant, user=user), many=True).data


class ProfileSerializer(CompletionSerializer, OwnRestaurantSerializer, PublicRestaurantSerializer):
    """Needs `now` (for the monthly count) and the requesting `user` in its context."""

    ownerName = serializers.CharField(source="owner_name")
    email = serializers.EmailField()
    taxRate = PercentageField(source="tax_rate")
    taxNumber = serializers.CharField(
        source="tax_number", help_text="Printed on receipts and statements; empty for none."
    )
    currencyFixed = serializers.SerializerMethodField(
        help_text="Whether the currency can no longer change because there has been an order."
    )
    marketingOptOut = serializers.BooleanField(source="marketing_opt_out")
    onboardingCompleted = serializers.BooleanField(source="onboarding_completed")
    missingProfileFields = serializers.SerializerMethodField(
        help_text="The labels of the fields still missing from a complete profile."
    )
    passwordSet = serializers.SerializerMethodField(
        help_text="Whether the requesting account has a password."
    )
    revenueSharePercentage = serializers.DecimalField(
        source="revenue_share_percentage", max_digits=5, decimal_places=2
    )
    monthlySpecialOffersCount = serializers.SerializerMethodField()
    specialOffersLimitReached = serializers.SerializerMethodField()
    stripeAccountId = serializers.SerializerMethodField()
    version = serializers.SerializerMethodField(
        help_text="Changes whenever somebody edits the profile; send it with `PUT`."
    )

    def get_version(self, restaurant: Restaurant) -> str:
        return profile_version(restaurant)

    def get_currencyFixed(self, restaurant: Restaurant) -> bool:
        # Queried once, for both copies in the response.
        context = cast(dict[str, Any], self.context)
        if "currency_fixed" not in context:
            context["currency_fixed"] = has_fixed_currency(restaurant)
        return bool(context["currency_fixed"])

    def get_missingProfileFields(self, restaurant: Restaurant) -> list[str]:
        return missing_profile_fields(restaurant)

    def get_passwordSet(self, restaurant: Restaurant) -> bool:
        return bool(self.context["user"].has_usable_password())

    def get_monthlySpecialOffersCount(self, restaurant: Restaurant) -> int:
        return offers_this_month(restaurant, now=self.context["now"])

    def get_specialOffersLimitReached(self, restaurant: Restaurant) -> bool:
        return has_reached_limit(restaurant, now=self.context["now"])

    def get_stripeAccountId(self, restaurant: Restaurant) -> str | None:
        # The account belongs to billing, a higher app; only its reverse relation is used here.
        account: Any = getattr(restaurant, "connect_account", None)
        return account.account_id if account else None


class ProfileAnswer(ProfileSerializer):
    restaurant = ProfileSerializer(source="*")


def profile_props(restaurant: Restaurant, *, user: User, now: datetime) -> dict[str, Any]:
    """The profile as island props, identical to the API's response for this user."""
    context = {"now": now, "user": user}
    return dict(ProfileSerializer(restaurant, context=context).data)


class CountrySerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    name = serializers.CharField()
    flag = serializers.CharField()
    displayName = serializers.CharField()
    isPaid = serializers.BooleanField(help_text="Whether Stripe pays restaurants there.")


class TimezoneSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class CurrencySerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class PlacesSerializer(serializers.Serializer[Any]):
    countries = CountrySerializer(many=True)
    states = serializers.ListField(child=serializers.CharField())
    stateCodes = serializers.ListField(
        child=serializers.CharField(), help_text="USPS codes of the states, in the same order."
    )
    timezones = TimezoneSerializer(many=True)
    currencies = CurrencySerializer(many=True)
