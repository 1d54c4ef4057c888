"""Serializers of the health check, the activity log, and expiration management."""

from typing import Any

from rest_framework import serializers

from apps.activity.kinds import Group
from apps.activity.models import ActorKind, Outcome
from apps.preorders.models.expirations import MAX_INTERVAL, MIN_INTERVAL
from apps.preorders.settlement.expirations import INTERVAL_OUT_OF_RANGE
from apps.preorders.settlement.pauses import REASON_LENGTH

STATUSES = [("ok", "ok"), ("failing", "failing")]


class ReconciliationFigures(serializers.Serializer[Any]):
    isLate = serializers.BooleanField(source="is_late")
    lastFinishedAt = serializers.DateTimeField(source="last_finished_at", allow_null=True)
    read = serializers.IntegerField(help_text="Objects of Stripe's in the last full pass.")
    openDifferences = serializers.IntegerField(source="open_differences")


class Health(serializers.Serializer[Any]):
    status = serializers.ChoiceField(STATUSES)
    database = serializers.CharField()
    cache = serializers.CharField()
    worker = serializers.CharField()
    scheduler = serializers.CharField()
    reconciliation = ReconciliationFigures(allow_null=True)


class Liveness(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok"])


class Readiness(serializers.Serializer[Any]):
    status = serializers.ChoiceField(STATUSES)
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


class ExpirationStatsSerializer(serializers.Serializer[Any]):
    """Figures over all restaurants."""

    activeSpecials = serializers.IntegerField(source="active_specials")
    expiringSoon = serializers.IntegerField(
        source="expiring_soon", help_text="Active specials that close within 24 hours."
    )
    expired = serializers.IntegerField(help_text="Specials past their deadline, ever.")
    totalPendingOrders = serializers.IntegerField(
        source="total_pending_orders", help_text="Orders with a held card and no outcome yet."
    )


class SchedulerStatusSerializer(serializers.Serializer[Any]):
    isRunning = serializers.BooleanField(source="is_running")
    nextRun = serializers.DateTimeField(
        source="next_run", allow_null=True, help_text="Null while the scheduler is stopped."
    )


class ProcessedExpirationsSerializer(serializers.Serializer[Any]):
    """What one run decided."""

    processedSpecials = serializers.IntegerField(source="processed_specials")
    confirmedOrders = serializers.IntegerField(
        source="confirmed_orders", help_text="Their cards are charged in the background."
    )
    cancelledOrders = serializers.IntegerField(
        source="cancelled_orders", help_text="Their holds are released in the background."
    )


class StartSchedulerSerializer(serializers.Serializer[Any]):
    intervalMinutes = serializers.IntegerField(
        min_value=MIN_INTERVAL,
        max_value=MAX_INTERVAL,
        error_messages={
            name: INTERVAL_OUT_OF_RANGE
            for name in ("required", "null", "invalid", "min_value", "max_value")
        },
    )


class StopSchedulerSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=REASON_LENGTH,
        help_text="The reason, for other staff.",
    )
