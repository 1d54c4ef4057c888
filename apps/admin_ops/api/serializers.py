"""Serializer of the health check."""

from typing import Any

from rest_framework import serializers


class Health(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok", "failing"])
    database = serializers.CharField()
    cache = serializers.CharField()
    worker = serializers.CharField()
    scheduler = serializers.CharField()
