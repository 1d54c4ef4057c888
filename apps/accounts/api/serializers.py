"""Response serializers of the accounts API."""

from typing import Any

from rest_framework import serializers


class MessageSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()


class HcaptchaConfigSerializer(serializers.Serializer[Any]):
    siteKey = serializers.CharField(allow_blank=True, help_text="Empty when the bot check is off.")


class HcaptchaAnswerSerializer(serializers.Serializer[Any]):
    valid = serializers.BooleanField()
    message = serializers.CharField()


class ValiditySerializer(serializers.Serializer[Any]):
    valid = serializers.BooleanField()


class TokenSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="public_id")
    createdAt = serializers.DateTimeField(source="created_at")
    lastUsedAt = serializers.DateTimeField(source="last_used_at", allow_null=True)
    expiresAt = serializers.DateTimeField(source="expires_at")
    current = serializers.SerializerMethodField(help_text="Whether this request was made with it.")

    def get_current(self, token: Any) -> bool:
        return bool(token.digest == self.context.get("digest"))


class TokensSerializer(serializers.Serializer[Any]):
    tokens = TokenSerializer(many=True)
