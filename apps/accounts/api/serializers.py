"""Request serializers of the accounts API, with the error message of each field."""

from typing import Any

from rest_framework import serializers

from apps.accounts.bot_check import FormProof
from apps.accounts.models import BearerToken
from apps.accounts.services.tokens import LIFETIMES_DAYS
from apps.common.api.fields import NameField

INVALID_EMAIL = "Please enter a valid email address"
EMAIL_FIRST = "Please enter your email address first"
FIELD_ERRORS = ("required", "null", "blank", "invalid", "max_length")
NO_TOKEN = "Invalid or missing reset token"


def _email(**options: Any) -> serializers.EmailField:
    words = dict.fromkeys(FIELD_ERRORS, INVALID_EMAIL) | options.pop("words", {})
    return serializers.EmailField(max_length=255, error_messages=words, **options)


def _optional_text(longest: int) -> serializers.CharField:
    return serializers.CharField(
        required=False, allow_blank=True, allow_null=True, max_length=longest
    )


class FormProofInput(serializers.Serializer[Any]):
    """The fields that show that a person filled in a form (DECISIONS X42)."""

    hcaptchaToken = _optional_text(10_000)
    website = _optional_text(500)
    startedAt = _optional_text(200)


def take_proof(sent: dict[str, Any]) -> FormProof:
    """Remove the proof from the validated data of a `FormProofInput`, and return it."""
    return FormProof(
        token=sent.pop("hcaptchaToken", None) or "",
        website=sent.pop("website", None) or "",
        started=sent.pop("startedAt", None) or "",
    )


class ConfirmationRequestInput(FormProofInput):
    email = _email()


class HcaptchaInput(serializers.Serializer[Any]):
    token = serializers.CharField(
        max_length=10_000, error_messages=dict.fromkeys(FIELD_ERRORS, "Security Check Failed")
    )


class ForgotPasswordInput(serializers.Serializer[Any]):
    email = _email(words=dict.fromkeys(("required", "null", "blank"), EMAIL_FIRST))


class ResetTokenInput(serializers.Serializer[Any]):
    token = serializers.CharField(
        max_length=500, error_messages=dict.fromkeys(FIELD_ERRORS, NO_TOKEN)
    )


class ResetPasswordInput(ResetTokenInput):
    # No length limit here: the password rules check it, with their own messages.
    password = serializers.CharField(
        trim_whitespace=False,
        allow_blank=True,
        error_messages=dict.fromkeys(
            ("required", "null", "invalid"), "Password must be at least 8 characters long"
        ),
    )


class PasswordInput(serializers.Serializer[Any]):
    password = serializers.CharField(
        trim_whitespace=False,
        allow_blank=True,
        required=False,
        allow_null=True,
        error_messages={"invalid": "Please enter a new password."},
        help_text="8 to 128 characters.",
    )
    currentPassword = serializers.CharField(
        trim_whitespace=False,
        allow_blank=True,
        required=False,
        allow_null=True,
        max_length=1000,
        help_text="Needed unless you signed in within 15 minutes; with two-step verification it "
        "isn't enough.",
    )


# Response serializers of the accounts API.


class MessageSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()


class HcaptchaConfigSerializer(serializers.Serializer[Any]):
    siteKey = serializers.CharField(allow_blank=True, help_text="Empty when the bot check is off.")


class HcaptchaAnswerSerializer(serializers.Serializer[Any]):
    valid = serializers.BooleanField()
    message = serializers.CharField()


class ValiditySerializer(serializers.Serializer[Any]):
    valid = serializers.BooleanField()


class TokenInput(serializers.Serializer[Any]):
    name = NameField(
        max_length=50,
        error_messages={
            **dict.fromkeys(("required", "null", "blank", "invalid"), "Enter a name."),
            "max_length": "Use at most {max_length} characters.",
        },
    )
    scope = serializers.ChoiceField(
        BearerToken.Scope.choices,
        error_messages=dict.fromkeys(
            ("required", "null", "invalid_choice"), "Choose what the token can do."
        ),
    )
    days = serializers.ChoiceField(
        LIFETIMES_DAYS,
        default=LIFETIMES_DAYS[0],
        help_text="How long it works.",
        error_messages=dict.fromkeys(("null", "invalid_choice"), "Choose how long it works."),
    )


class CreatedTokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Shown only here.")


class TokenSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="public_id")
    name = serializers.CharField()
    scope = serializers.ChoiceField(BearerToken.Scope.choices)
    createdAt = serializers.DateTimeField(source="created_at")
    lastUsedAt = serializers.DateTimeField(source="last_used_at", allow_null=True)
    expiresAt = serializers.DateTimeField(source="expires_at")
    current = serializers.SerializerMethodField(help_text="Whether this request was made with it.")

    def get_current(self, token: Any) -> bool:
        return bool(token.digest == self.context.get("digest"))


class TokensSerializer(serializers.Serializer[Any]):
    tokens = TokenSerializer(many=True)
