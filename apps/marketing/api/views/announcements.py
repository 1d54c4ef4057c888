"""Endpoints of announcements: generate the text, open the platforms' composers, email a copy."""

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
from apps.marketing.models import MAX_MESSAGE_LENGTH
from apps.marketing.social_composers import Platform
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission

MAX_OFFERS = 500
COPIES_PER_RESTAURANT = Limit("courtesy-copies", times=20, window=60 * 60)
MESSAGE_REQUIRED = "Write your announcement first."
MESSAGE_TOO_LONG = f"Use at most {MAX_MESSAGE_LENGTH:,} characters."
UNKNOWN_PLATFORM = "Choose from: " + ", ".join(Platform.values)
INVALID_OFFER_IDS = "Send the specials' ids as a list, or an empty list for all open specials."


class GenerateInput(serializers.Serializer[Any]):
    offerIds = serializers.ListField(
        source="offer_ids",
        child=serializers.UUIDField(
            error_messages=dict.fromkeys(("null", "invalid"), "This isn't the id of a special.")
        ),
        max_length=MAX_OFFERS,
        help_text="Which specials to announce; an empty list means all open ones.",
        error_messages=dict.fromkeys(
            ("required", "null", "not_a_list", "max_length"), INVALID_OFFER_IDS
        ),
    )


class ComposedSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()
    short = serializers.CharField(
        help_text=f"The same in at most {SHORT_LENGTH} characters, for Twitter."
    )


def _message(**options: Any) -> serializers.CharField:
    return serializers.CharField(
        max_length=MAX_MESSAGE_LENGTH,
        trim_whitespace=True,
        error_messages={
            **dict.fromkeys(("required", "null", "blank", "invalid"), MESSAGE_REQUIRED),
            "max_length": MESSAGE_TOO_LONG,
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
        max_length=MAX_MESSAGE_LENGTH,
        required=False,
        default="",
        allow_blank=True,
        help_text="Replaces the message on Twitter.",
        error_messages={"max_length": MESSAGE_TOO_LONG},
    )
    platforms = _platforms(help_text="If left out or empty, all platforms whose link is saved.")


class ResultSerializer(serializers.Serializer[Any]):
    """Outcome for one platform: `url` is the page to open, `text` is what to paste there."""

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
    url = serializers.CharField(
        help_text="URL of the restaurant's page there; empty if none is saved."
    )


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
    """The platforms, and the latest announcements."""

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
    """Compose a text from the current state of the specials; nothing is saved."""

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
    """Prepare each platform's composer with the text."""

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
    """Email the owner a copy, once per announcement."""

    rights = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(request=CopyInput, responses=CopySerializer)
    def post(self, request: Request) -> Response:
        form = CopyInput(data=request.data)
        form.is_valid(raise_exception=True)
        COPIES_PER_RESTAURANT.count(str(self.restaurant.pk))
        address, is_new = announcements.request_copy(
            restaurant=self.restaurant,
            by=_person(request),
            now=clock.now(),
            **form.validated_data,
        )
        queued = f"We're emailing a copy to {address}."
        already_sent = f"We've already emailed a copy of this announcement to {address}."
        return Response(CopySerializer({"message": queued if is_new else already_sent}).data)
