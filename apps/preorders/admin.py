"""The staff's data pages of orders, what happens to their money, and what needs a person."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.billing.models import Discrepancy
from apps.common.admin import StaffAction, StaffModelAdmin
from apps.preorders.models import (
    Cart,
    Dispute,
    DisputeTransition,
    EarlyFraudWarning,
    Email,
    ExpirationRun,
    ExpirationSchedule,
    GuestMessage,
    NoticePreference,
    OrderNote,
    PaymentOperation,
    PickupCheckIn,
    PreOrder,
    PreOrderTransition,
    PushMessage,
    PushSubscription,
    SettlementPause,
    Subscriber,
    WaitlistEntry,
)
from apps.preorders.models.search import search_words
from apps.preorders.settlement import issues

INTENT = {"payment_intent_id": "payments"}


@admin.register(PreOrder)
class PreOrderAdmin(StaffModelAdmin):
    list_display = (
        "code", "restaurant", "offer", "customer_name", "quantity", "total_amount", "status",
        "payment_status", "created_at",
    )  # fmt: skip
    list_filter = ("status", "payment_status", "source")
    search_fields = (
        "id", "short_code__iexact", "payment_intent_id", "checkout_session_id",
        "customer_email__iexact",
    )  # fmt: skip
    search_help_text = (
        "An order's code or ID, Stripe's ID of the payment, or a whole email. "
        "Within one restaurant also names and phone numbers."
    )
    ordering_in_restaurant = ("-created_at",)
    # What a page for guests would show them anyway, and links that act for them.
    hidden = ("share_code", "search_text")
    stripe_columns = {**INTENT, "payment_customer_id": "customers"}
    related = (
        ("preorders.PreOrderTransition", "pre_order"),
        ("preorders.PaymentOperation", "pre_order"),
        ("billing.PaymentHistory", "pre_order"),
        ("preorders.Email", "pre_order"),
        ("preorders.Dispute", "pre_order"),
        ("preorders.OrderNote", "pre_order"),
        ("preorders.PickupCheckIn", "pre_order"),
        ("billing.Discrepancy", "pre_order"),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if "restaurant" not in request.GET:
            return super().get_search_results(request, queryset, search_term)
        for word in search_words(search_term):
            queryset = queryset.filter(search_text__contains=word)
        return queryset, False


@admin.register(PreOrderTransition)
class PreOrderTransitionAdmin(StaffModelAdmin):
    list_display = ("at", "pre_order", "restaurant", "field", "old", "new", "actor")


@admin.register(OrderNote)
class OrderNoteAdmin(StaffModelAdmin):
    list_display = ("at", "pre_order", "restaurant", "by")


@admin.register(Cart)
class CartAdmin(StaffModelAdmin):
    list_display = ("id", "restaurant", "created_at")
    search_fields = ("id", "setup_intent_id")
    stripe_columns = {"setup_intent_id": "setup_intents", "payment_customer_id": "customers"}
    related = (("preorders.PreOrder", "cart"),)


@admin.register(PaymentOperation)
class PaymentOperationAdmin(StaffModelAdmin):
    list_display = (
        "pre_order", "restaurant", "kind", "stage", "state", "attempts", "due_at", "finished_at",
    )  # fmt: skip
    list_filter = ("kind", "state")
    search_fields = ("reference",)
    search_help_text = "Stripe's ID of what it made, such as a refund (re_…)."


@admin.register(Dispute)
class DisputeAdmin(StaffModelAdmin):
    list_display = ("opened_at", "restaurant", "pre_order", "status", "amount", "due_by")
    list_filter = ("status",)
    search_fields = ("id", "dispute_id")
    search_help_text = "An ID, ours or Stripe's (dp_…)."
    ordering_in_restaurant = ("-opened_at",)
    stripe_columns = {"dispute_id": "disputes", **INTENT}
    related = (("preorders.DisputeTransition", "dispute"),)


@admin.register(DisputeTransition)
class DisputeTransitionAdmin(StaffModelAdmin):
    list_display = ("at", "dispute", "restaurant", "field", "old", "new", "actor")


@admin.register(EarlyFraudWarning)
class EarlyFraudWarningAdmin(StaffModelAdmin):
    list_display = ("opened_at", "restaurant", "pre_order", "fraud_type", "is_actionable")
    search_fields = ("id", "warning_id")


@admin.register(Email)
class EmailAdmin(StaffModelAdmin):
    list_display = ("due_at", "restaurant", "pre_order", "kind", "attempts", "sent_at", "error")
    list_filter = ("kind",)
    search_fields = ("id",)
    search_help_text = "An ID."
    ordering_in_restaurant = ("-sent_at",)


@admin.register(Subscriber)
class SubscriberAdmin(StaffModelAdmin):
    list_display = ("email", "restaurant", "status", "source", "reminders", "changed_at")
    search_fields = ("id", "email")
    search_help_text = "A whole email, in lower case."


@admin.register(GuestMessage)
class GuestMessageAdmin(StaffModelAdmin):
    list_display = ("at", "restaurant", "offer", "by")
    search_fields = ("id",)
    search_help_text = "An ID."
    ordering_in_restaurant = ("-at",)


@admin.register(NoticePreference)
class NoticePreferenceAdmin(StaffModelAdmin):
    list_display = ("user", "restaurant", "quiet_from", "quiet_until", "changed_at")
    search_fields = ("user__email",)
    search_help_text = "A whole email."


@admin.register(WaitlistEntry)
class WaitlistEntryAdmin(StaffModelAdmin):
    list_display = ("joined_at", "restaurant", "offer", "name", "portions", "state")
    list_filter = ("state",)
    search_fields = ("id", "email")
    search_help_text = "A whole email, in lower case, or an ID."
    ordering_in_restaurant = ("-joined_at",)


@admin.register(ExpirationSchedule)
class ExpirationScheduleAdmin(StaffModelAdmin):
    list_display = ("id", "interval_minutes", "next_run_at")


@admin.register(ExpirationRun)
class ExpirationRunAdmin(StaffModelAdmin):
    list_display = ("started_at", "trigger", "processed_specials", "failed_specials", "started_by")
    list_filter = ("trigger",)


@admin.register(SettlementPause)
class SettlementPauseAdmin(StaffModelAdmin):
    list_display = ("started_at", "scope", "reason", "started_by", "ended_at")
    list_filter = ("scope",)


def _continue(issue: Discrepancy, by: Any, reason: str, now: datetime) -> str:
    count = issues.continue_payments(issue_id=issue.pk, by=by.name, now=now)
    return f"Payments that continue: {count}"


def _give_up(issue: Discrepancy, by: Any, reason: str, now: datetime) -> str:
    issues.give_up_charge(issue_id=issue.pk, by=by.name, now=now)
    return "The hold is being released and the order canceled."


def _resolve(issue: Discrepancy, by: Any, reason: str, now: datetime) -> str:
    issues.resolve_issue(issue_id=issue.pk, resolution=reason, by=by.name, now=now)
    return "The issue is closed."


def _is_open(*kinds: str) -> Any:
    return lambda issue: issue.resolved_at is None and (not kinds or issue.kind in kinds)


@admin.register(Discrepancy)
class DiscrepancyAdmin(StaffModelAdmin):
    """Payment issues: a table of billing, whose services are in settlement."""

    list_display = (
        "found_at", "restaurant", "kind", "description", "resolved_at", "resolved_by",
    )  # fmt: skip
    list_filter = ("kind",)
    search_fields = ("payment_intent_id",)
    search_help_text = "Stripe's ID of the payment (pi_…)."
    stripe_columns = INTENT
    staff_actions = (
        StaffAction(
            "continue",
            "Try again now",
            "Tries the order's waiting payments; after a pause, all charges of the special.",
            _continue,
            can_run=_is_open(*issues.CAN_CONTINUE),
        ),
        StaffAction(
            "give-up",
            "Cancel this order without charging",
            "Releases the hold and cancels the order.",
            _give_up,
            can_run=_is_open(*issues.CAN_GIVE_UP),
        ),
        StaffAction(
            "resolve",
            "Close issue",
            "Nothing happens to the payment.",
            _resolve,
            can_run=_is_open(),
            needs_reason=True,
        ),
    )


@admin.register(PickupCheckIn)
class PickupCheckInAdmin(StaffModelAdmin):
    list_display = ("at", "pre_order", "restaurant", "made_at")


@admin.register(PushSubscription)
class PushSubscriptionAdmin(StaffModelAdmin):
    list_display = ("created_at", "restaurant", "offer", "user")
    exclude = ("endpoint", "p256dh", "auth")


@admin.register(PushMessage)
class PushMessageAdmin(StaffModelAdmin):
    list_display = ("due_at", "kind", "offer", "restaurant", "attempts", "done_at")
