"""Announcing specials (A55, A66): the text, the way to each platform, the owner's copy."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.marketing import announcements
from apps.marketing.announcement_text import SHORT_LENGTH
from apps.marketing.models import LONGEST_MESSAGE
from apps.marketing.social_composers import Platform
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission

MOST_OFFERS = 500
COPIES = Limit("courtesy-copies", times=20, window=60 * 60)
EMPTY = "Write your announcement first."
TOO_LONG = f"Use at most {LONGEST_MESSAGE:,} characters."
UNKNOWN_PLATFORM = "Choose from: " + ", ".join(Platform.values)
OFFER_IDS = "Send the specials' ids as a list; an empty one means all that are open."


class GenerateInput(serializers.Serializer[Any]):
    offerIds = serializers.ListField(
        source="offer_ids",
        child=serializers.UUIDField(
            error_messages=dict.fromkeys(("null", "invalid"), "This is no special's id.")
        ),
        max_length=MOST_OFFERS,
        help_text="Which specials; an empty list means all that are open.",
        error_messages=dict.fromkeys(("required", "null", "not_a_list", "max_length"), OFFER_IDS),
    )


class ComposedSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()
    short = serializers.CharField(help_text=f"The same within Twitter's {SHORT_LENGTH} characters.")


def _message(**options: Any) -> serializers.CharField:
    return serializers.CharField(
        max_length=LONGEST_MESSAGE,
        trim_whitespace=True,
        error_messages={
            **dict.fromkeys(("required", "null", "blank", "invalid"), EMPTY),
            "max_length": TOO_LONG,
        },
        **options,
    )


def _platforms(**options: Any) -> serializers.ListField:
    wrong: Any = dict.fromkeys(
        ("null", "invalid_choice", "not_a_list", "max_length"), UNKNOWN_PLATFORM
    )
    return serializers.ListField(
        child=serializers.ChoiceField(Platform.choices, error_messages=wrong),
        max_length=len(Platform),
        required=False,
        default=list,
        error_messages=wrong,
        **options,
    )


class PostInput(serializers.Serializer[Any]):
    message = _message()
    shortMessage = serializers.CharField(
        source="short",
        max_length=LONGEST_MESSAGE,
        required=False,
        default="",
        allow_blank=True,
        help_text="Stands in for the message on Twitter.",
        error_messages={"max_length": TOO_LONG},
    )
    platforms = _platforms(help_text="Left out or empty: every one whose link is saved.")


class ResultSerializer(serializers.Serializer[Any]):
    """`url` is where the owner goes on; `text` is what they paste there."""

    platform = serializers.ChoiceField(Platform.choices)
    success = serializers.BooleanField()
    message = serializers.CharField()
    url = serializers.CharField()
    text = serializers.CharField()


class ResultsSerializer(serializers.Serializer[Any]):
    results = ResultSerializer(many=True)


class CopyInput(serializers.Serializer[Any]):
    announcementMessage = _message(source="message")
    platformsUsed = _platforms(source="platforms")


class CopySerializer(serializers.Serializer[Any]):
    message = serializers.CharField()


class PlatformSerializer(serializers.Serializer[Any]):
    platform = serializers.ChoiceField(Platform.choices)
    label = serializers.CharField()  # type: ignore[assignment]
    url = serializers.CharField(help_text="The restaurant's page there; empty when none is saved.")


class AnnouncementSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    message = serializers.CharField()
    platforms = serializers.ListField(child=serializers.ChoiceField(Platform.choices))
    createdAt = serializers.DateTimeField(source="created_at")


class AnnouncementsSerializer(serializers.Serializer[Any]):
    platforms = PlatformSerializer(many=True)
    announcements = AnnouncementSerializer(many=True)


def _person(request: Request) -> User:
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


class AnnouncementsView(RestaurantView):
    """Where one can announce, and what was announced lately."""

    rights = {"GET": Permission.EDIT_OFFERS}

    @extend_schema(responses=AnnouncementsSerializer)
    def get(self, request: Request) -> Response:
        profiles = announcements.profiles_of(self.restaurant)
        answer = {
            "platforms": [
                {"platform": each, "label": each.label, "url": url}
                for each, url in profiles.items()
            ],
            "announcements": announcements.announcements_of(self.restaurant),
        }
        return Response(AnnouncementsSerializer(answer).data)


class GenerateAnnouncementView(RestaurantView):
    """A text from the specials as they stand now; nothing is kept."""

    rights = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(request=GenerateInput, responses=ComposedSerializer)
    def post(self, request: Request) -> Response:
        form = GenerateInput(data=request.data)
        form.is_valid(raise_exception=True)
        composed = announcements.compose_announcement(
            restaurant=self.restaurant, now=clock.now(), **form.validated_data
        )
        return Response(ComposedSerializer(composed).data)


class PostAnnouncementView(RestaurantView):
    """The way to each platform's composer with the text in it."""

    rights = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(request=PostInput, responses=ResultsSerializer)
    def post(self, request: Request) -> Response:
        form = PostInput(data=request.data)
        form.is_valid(raise_exception=True)
        results = announcements.post_announcement(
            restaurant=self.restaurant,
            by=_person(request),
            now=clock.now(),
            **form.validated_data,
        )
        return Response(ResultsSerializer({"results": results}).data)


class CourtesyCopyView(RestaurantView):
    """Send the owner a copy, once for each announcement."""

    rights = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(request=CopyInput, responses=CopySerializer)
    def post(self, request: Request) -> Response:
        form = CopyInput(data=request.data)
        form.is_valid(raise_exception=True)
        COPIES.count(str(self.restaurant.pk))
        address, is_new = announcements.request_copy(
            restaurant=self.restaurant,
            by=_person(request),
            now=clock.now(),
            **form.validated_data,
        )
        new = f"A copy is on its way to {address}."
        sent = f"A copy of this announcement was sent to {address} already."
        return Response(CopySerializer({"message": new if is_new else sent}).data)
