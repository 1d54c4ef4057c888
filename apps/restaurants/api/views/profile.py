"""The restaurant's profile, for its team and for guests."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.accounts.services import passwords
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.common.errors import Invalid
from apps.common.versions import EditedMeanwhile
from apps.restaurants import regions
from apps.restaurants.api.serializers.profile import (
    CompletionAnswer,
    PlacesSerializer,
    ProfileAnswer,
    PublicRestaurantAnswer,
    profile_props,
)
from apps.restaurants.api.serializers.profile_changes import (
    DisplayInput,
    EmbedSitesInput,
    EmbedSitesSerializer,
    ProfileInput,
    SocialInput,
)
from apps.restaurants.api.views.base import PublicRestaurantView, RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission
from apps.restaurants.services import profile

NOTHING_SENT = "Send at least one field to change."
NO_RESTAURANT = "This restaurant could not be found or is not available."


def profile_answer(restaurant: Restaurant, request: Request) -> Response:
    """A response with the current profile."""
    context = {"now": clock.now(), "user": request.user}
    return Response(ProfileAnswer(restaurant, context=context).data)


@contextmanager
def _with_current(restaurant: Restaurant, shown: Callable[[Restaurant], object]) -> Iterator[None]:
    """Around an edit: add to EditedMeanwhile what is `shown` of the restaurant as it is now."""
    try:
        yield
    except EditedMeanwhile as refusal:
        current = Restaurant.objects.get(pk=restaurant.pk)
        raise refusal.with_current(shown(current)) from None


def _with_current_profile(request: Request, restaurant: Restaurant) -> AbstractContextManager[None]:
    user = request.user
    assert isinstance(user, User)  # RestaurantView
    return _with_current(restaurant, lambda now: profile_props(now, user=user, now=clock.now()))


def _checked(form: serializers.Serializer[Any]) -> dict[str, Any]:
    form.is_valid(raise_exception=True)
    if not form.validated_data:
        raise Invalid(NOTHING_SENT)
    return dict(form.validated_data)


class RestaurantProfileView(RestaurantView):
    """The full profile, for the restaurant's team (DECISIONS X28)."""

    rights = {"GET": Permission.SEE_OFFERS}

    @extend_schema(responses=ProfileAnswer)
    def get(self, request: Request) -> Response:
        return profile_answer(self.restaurant, request)


class CompletionView(RestaurantView):
    """Which parts of the setup are complete, and its steps."""

    rights = {"GET": Permission.SEE_OFFERS}

    @extend_schema(responses=CompletionAnswer)
    def get(self, request: Request) -> Response:
        return Response(CompletionAnswer(self.restaurant, context={"user": request.user}).data)


class OneRestaurantView(PublicRestaurantView):
    """The public profile, which the owner updates here (DECISIONS X32)."""

    rights = {"PUT": Permission.MANAGE}
    not_found = NO_RESTAURANT
    refusals: ClassVar = {
        "PUT": (
            ErrorCode.REAUTHENTICATE,
            ErrorCode.EDITED_MEANWHILE,
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
        ),
    }

    @extend_schema(responses=PublicRestaurantAnswer)
    def get(self, request: Request) -> Response:
        return Response(PublicRestaurantAnswer(self.restaurant).data)

    @extend_schema(request=ProfileInput, responses=ProfileAnswer)
    def put(self, request: Request) -> Response:
        changes = _checked(ProfileInput(data=request.data))
        password = changes.pop("password", "")
        current_password = changes.pop("currentPassword", None) or ""
        version = changes.pop("version", "")
        if not changes and not password:
            raise Invalid(NOTHING_SENT)
        restaurant = self.restaurant
        assert isinstance(request.user, User)  # `rights` requires it
        with _with_current_profile(request, restaurant), transaction.atomic():
            if changes:
                restaurant = profile.change_profile(
                    restaurant=restaurant,
                    changes=changes,
                    version=version,
                    now=clock.now(),
                    by=request.user,
                )
            if password:
                passwords.set_password(
                    request=request._request,
                    user=request.user,
                    password=password,
                    current_password=current_password,
                )
        return profile_answer(restaurant, request)


class SocialLinksView(RestaurantView):
    """Replace the links to the restaurant's pages on social media."""

    refusals: ClassVar = {"PUT": (ErrorCode.EDITED_MEANWHILE,)}

    @extend_schema(request=SocialInput, responses=ProfileAnswer)
    def put(self, request: Request) -> Response:
        form = SocialInput(data=request.data)
        form.is_valid(raise_exception=True)
        with _with_current_profile(request, self.restaurant):
            restaurant = profile.change_social_links(
                restaurant=self.restaurant,
                links=form.validated_data["socialMediaLinks"],
                version=form.validated_data.get("version", ""),
                now=clock.now(),
            )
        return profile_answer(restaurant, request)


class EmbedSitesView(RestaurantView):
    """Replace the sites that may show the specials in a frame; other sites can't."""

    refusals: ClassVar = {"PUT": (ErrorCode.NOT_IN_PLAN, ErrorCode.EDITED_MEANWHILE)}

    @extend_schema(request=EmbedSitesInput, responses=EmbedSitesSerializer)
    def put(self, request: Request) -> Response:
        form = EmbedSitesInput(data=request.data)
        form.is_valid(raise_exception=True)
        with _with_current(self.restaurant, lambda now: EmbedSitesSerializer(now).data):
            restaurant = profile.change_embed_sites(
                restaurant=self.restaurant,
                addresses=form.validated_data["sites"],
                version=form.validated_data.get("version", ""),
                now=clock.now(),
            )
        return Response(EmbedSitesSerializer(restaurant).data)


class DisplayView(RestaurantView):
    """Show or hide the map, ask guests for a phone number, name the day from which orders are
    planned to be taken, and opt in or out of marketing."""

    @extend_schema(request=DisplayInput, responses=ProfileAnswer)
    def put(self, request: Request) -> Response:
        changes = _checked(DisplayInput(data=request.data))
        restaurant = profile.change_display(
            restaurant=self.restaurant, changes=changes, now=clock.now()
        )
        return profile_answer(restaurant, request)


class RegionsView(APIView):
    """The countries, states, time zones, and currencies to choose from."""

    authentication_classes = []

    @extend_schema(responses=PlacesSerializer)
    def get(self, request: Request) -> Response:
        answer = Response(PlacesSerializer(regions.region_choices()).data)
        answer.headers["Cache-Control"] = "public, max-age=3600"
        return answer
