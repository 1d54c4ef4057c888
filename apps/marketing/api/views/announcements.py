"""Endpoints of announcements: generate the text, open the platforms' composers or ask for a
reminder to do so, email a copy."""

from http import HTTPStatus
from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.marketing import announcements, post_reminders
from apps.marketing.api.serializers import (
    AnnouncementSerializer,
    AnnouncementsSerializer,
    ComposedSerializer,
    CopyInput,
    CopySerializer,
    GenerateInput,
    PostInput,
    ReminderInput,
    ResultsSerializer,
)
from apps.preorders.emails.preferences import follower_count
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission

COPIES_PER_RESTAURANT = Limit("courtesy-copies", times=20, window=60 * 60)


def _person(request: Request) -> User:
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


class AnnouncementsView(RestaurantView):
    """The platforms, the number of followers, and the latest announcements."""

    rights = {"GET": Permission.EDIT_OFFERS}

    @extend_schema(responses=AnnouncementsSerializer)
    def get(self, request: Request) -> Response:
        profiles = announcements.profiles_of(self.restaurant)
        answer = {
            "timezone": self.restaurant.timezone,
            "followers": follower_count(self.restaurant),
            "platforms": [
                {"platform": each, "label": each.label, "url": url}
                for each, url in profiles.items()
            ],
            "announcements": announcements.announcements_of(self.restaurant),
            "specials": announcements.pictured_specials(self.restaurant, now=clock.now()),
        }
        return Response(AnnouncementsSerializer(answer).data)


class GenerateAnnouncementView(RestaurantView):
    """Compose a text from the current state of the specials; nothing is saved."""

    rights = {"POST": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

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
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

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


class ReminderView(RestaurantView):
    """Remind the signed-in user to post a text at a given time."""

    rights = {"PUT": Permission.EDIT_OFFERS}

    @extend_schema(request=ReminderInput, responses=AnnouncementSerializer)
    def put(self, request: Request) -> Response:
        form = ReminderInput(data=request.data)
        form.is_valid(raise_exception=True)
        announcement = post_reminders.schedule_reminder(
            restaurant=self.restaurant,
            by=_person(request),
            now=clock.now(),
            **form.validated_data,
        )
        return Response(AnnouncementSerializer(announcement).data)


class AnnouncementReminderView(RestaurantView):
    """The reminder to post one announcement."""

    rights = {"DELETE": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "DELETE": (ErrorCode.NOT_FOUND,),
    }

    @extend_schema(responses={204: None})
    def delete(self, request: Request, announcement_id: UUID) -> Response:
        post_reminders.cancel_reminder(restaurant=self.restaurant, announcement_id=announcement_id)
        return Response(status=HTTPStatus.NO_CONTENT)


class CourtesyCopyView(RestaurantView):
    """Email the owner a copy, once per announcement."""

    rights = {"POST": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "POST": (
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

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
