"""Serializers of announcements and demo requests."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from apps.common.languages import ENGLISH
from apps.marketing import demo_leads
from apps.marketing.announcement_text import SHORT_LENGTH, Tone
from apps.marketing.models import MAX_MESSAGE_LENGTH
from apps.marketing.social_composers import Platform

MAX_OFFERS = 500
MESSAGE_REQUIRED = "Write your announcement first."
MESSAGE_TOO_LONG = f"Use at most {MAX_MESSAGE_LENGTH:,} characters."
UNKNOWN_PLATFORM = "Choose from: " + ", ".join(Platform.values)
UNKNOWN_TONE = "Choose a tone: " + ", ".join(Tone.values)
UNKNOWN_LANGUAGE = "Choose a language: " + ", ".join(code for code, _ in settings.LANGUAGES)
NO_TIME = "Choose a day and a time."
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

    tone = serializers.ChoiceField(
        Tone.choices,
        required=False,
        default=Tone.FRIENDLY,
        error_messages=dict.fromkeys(("null", "invalid_choice"), UNKNOWN_TONE),
    )
    language = serializers.ChoiceField(
        settings.LANGUAGES,
        required=False,
        default=ENGLISH,
        error_messages=dict.fromkeys(("null", "invalid_choice"), UNKNOWN_LANGUAGE),
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


def _short_message() -> serializers.CharField:
    return serializers.CharField(
        source="short",
        max_length=MAX_MESSAGE_LENGTH,
        required=False,
        default="",
        allow_blank=True,
        help_text="Replaces the message on Twitter.",
        error_messages={"max_length": MESSAGE_TOO_LONG},
    )


class PostInput(serializers.Serializer[Any]):
    message = _message()
    shortMessage = _short_message()
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


class ReminderInput(serializers.Serializer[Any]):
    message = _message()
    shortMessage = _short_message()
    remindAt = serializers.DateTimeField(
        source="remind_at",
        error_messages=dict.fromkeys(
            ("required", "null", "invalid", "date", "make_aware", "overflow"), NO_TIME
        ),
    )


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
    remindAt = serializers.DateTimeField(
        source="remind_at",
        allow_null=True,
        help_text="When somebody of the team is reminded to post it; null without a reminder.",
    )


class OpenSpecialSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class AnnouncementsSerializer(serializers.Serializer[Any]):
    timezone = serializers.CharField(help_text="The restaurant's, in which a reminder is set.")
    specials = OpenSpecialSerializer(
        many=True, help_text="The open specials, of each of which there are pictures to post."
    )
    followers = serializers.IntegerField(
        help_text="How many people follow the restaurant and can be emailed."
    )
    platforms = PlatformSerializer(many=True)
    announcements = AnnouncementSerializer(many=True)


INVALID_EMAIL = "Please enter a valid email address"
INVALID_STEPS = "Send the names of the completed steps as a list."
MAX_STEP_LENGTH = 100  # characters


class LeadInput(serializers.Serializer[Any]):
    email = serializers.EmailField(
        max_length=255,
        error_messages=dict.fromkeys(
            ("required", "null", "blank", "invalid", "max_length"), INVALID_EMAIL
        ),
    )
    completedSteps = serializers.ListField(
        source="completed_steps",
        child=serializers.CharField(
            max_length=MAX_STEP_LENGTH,
            error_messages=dict.fromkeys(("null", "blank", "invalid", "max_length"), INVALID_STEPS),
        ),
        max_length=demo_leads.MAX_STEPS,
        required=False,
        default=list,
        error_messages=dict.fromkeys(("null", "not_a_list", "max_length"), INVALID_STEPS),
    )


class LeadSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()
