"""Serializers of the health check and the activity log."""

from typing import Any

from rest_framework import serializers

from apps.activity.kinds import Group
from apps.activity.models import ActorKind, Outcome


class Health(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok", "failing"])
    database = serializers.CharField()
    cache = serializers.CharField()
    worker = serializers.CharField()
    scheduler = serializers.CharField()


class Liveness(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok"])


class Readiness(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok", "failing"])
    database = serializers.CharField()
    cache = serializers.CharField()


class ActivityQuery(serializers.Serializer[Any]):
    """Filters of the activity log."""

    group = serializers.ChoiceField(Group.choices, required=False)
    person = serializers.UUIDField(required=False)


class ActivityEventSerializer(serializers.Serializer[Any]):
    """One event. `kind` is its stable code, `title` and `details` say it in words."""

    id = serializers.UUIDField(source="event.public_id")
    at = serializers.DateTimeField(source="event.at")
    kind = serializers.CharField(source="event.kind")
    title = serializers.CharField()
    details = serializers.CharField()
    outcome = serializers.ChoiceField(Outcome.choices, source="event.outcome")
    actorKind = serializers.ChoiceField(ActorKind.choices, source="event.actor_kind")
    actor = serializers.CharField()
    subject = serializers.CharField()
    objectKind = serializers.CharField(source="event.object_kind")
    objectId = serializers.CharField(source="event.object_id")
    network = serializers.CharField(source="event.address")
    device = serializers.CharField(source="event.device")


class ActivitySerializer(serializers.Serializer[Any]):
    """A page of events, newest first."""

    events = ActivityEventSerializer(many=True)
    nextCursor = serializers.CharField(source="next_cursor", allow_null=True)
