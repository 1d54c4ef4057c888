"""The staff's data pages of money: accounts at Stripe, the ledger, payouts, and Stripe's events."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from djstripe.models import Event, WebhookEventTrigger

from apps.billing import payouts
from apps.billing.models import (
    ConnectAccount,
    Conversion,
    FeeInvoice,
    LedgerChain,
    LedgerSeal,
    MonthlyBillingCycle,
    PaymentHistory,
    Payout,
    PayoutEntry,
    PlatformFee,
    ProcessedEvent,
    ReconciliationProgress,
    StripeFee,
    Subscription,
    SubscriptionSignUp,
    WalletDomain,
)
from apps.billing.new_restaurants import lift_sales_limit
from apps.common.admin import StaffAction, StaffModelAdmin


def _lift(account: ConnectAccount, by: Any, reason: str, now: datetime) -> str:
    lift_sales_limit(restaurant=account.restaurant, now=now)
    return f"{account.restaurant} can sell any amount now."


def _retry(payout: Payout, by: Any, reason: str, now: datetime) -> str:
    payouts.retry_payout(restaurant=payout.restaurant, payout_id=payout.pk, now=now)
    return "The payout is tried again within a minute."


@admin.register(ConnectAccount)
class ConnectAccountAdmin(StaffModelAdmin):
    list_display = (
        "restaurant", "account_id", "charges_enabled", "payouts_enabled", "available_balance",
        "currency", "synced_at",
    )  # fmt: skip
    list_filter = ("charges_enabled", "payouts_enabled")
    search_fields = ("account_id",)
    search_help_text = "Stripe's ID of the account (acct_…)."
    stripe_columns = {"account_id": "connect/accounts"}
    staff_actions = (
        StaffAction(
            "lift-limit",
            "Lift the limit of a new restaurant",
            "It can sell any amount before its first payout (decision 47).",
            _lift,
            can_run=lambda account: account.limit_lifted_at is None,
        ),
    )


@admin.register(MonthlyBillingCycle)
class MonthlyBillingCycleAdmin(StaffModelAdmin):
    list_display = ("restaurant", "year", "month", "total_revenue", "platform_fees")
    list_filter = ("revenue_share_active",)


@admin.register(PaymentHistory)
class PaymentHistoryAdmin(StaffModelAdmin):
    list_display = (
        "processed_at", "restaurant", "transaction_type", "amount", "currency",
        "payment_intent_id",
    )  # fmt: skip
    list_filter = ("transaction_type", "status")
    search_fields = ("payment_intent_id",)
    search_help_text = "Stripe's ID of the payment (pi_…)."
    stripe_columns = {"payment_intent_id": "payments", "transfer_id": "connect/transfers"}


@admin.register(LedgerChain)
class LedgerChainAdmin(StaffModelAdmin):
    list_display = ("restaurant", "length", "head")


@admin.register(LedgerSeal)
class LedgerSealAdmin(StaffModelAdmin):
    list_display = ("entry", "restaurant", "position", "sealed_at")


@admin.register(Conversion)
class ConversionAdmin(StaffModelAdmin):
    list_display = ("entry", "restaurant", "amount", "currency")


@admin.register(FeeInvoice)
class FeeInvoiceAdmin(StaffModelAdmin):
    list_display = ("number", "restaurant", "issued_at", "total", "currency", "tax")
    search_fields = ("number",)
    search_help_text = "The invoice's number."


@admin.register(PlatformFee)
class PlatformFeeAdmin(StaffModelAdmin):
    list_display = ("processing_date", "restaurant", "order_amount", "platform_fee_amount")
    search_fields = ("payment_intent_id",)
    search_help_text = "Stripe's ID of the payment (pi_…)."
    stripe_columns = {"payment_intent_id": "payments", "transfer_id": "connect/transfers"}


@admin.register(Payout)
class PayoutAdmin(StaffModelAdmin):
    list_display = ("created_at", "restaurant", "amount", "currency", "status", "payout_id")
    list_filter = ("status",)
    search_fields = ("id", "payout_id")
    search_help_text = "An ID, ours or Stripe's (po_…)."
    ordering_in_restaurant = ("-created_at",)
    stripe_columns = {"payout_id": "payouts"}
    related = (("billing.PayoutEntry", "payout"),)
    staff_actions = (
        StaffAction(
            "retry",
            "Try again",
            "Asks Stripe for the payout again, under a new key.",
            _retry,
            can_run=lambda payout: payout.status == Payout.Status.FAILED,
        ),
    )

    def stripe_account(self, row: Payout) -> str:
        account = ConnectAccount.objects.filter(restaurant=row.restaurant_id).first()
        return account.account_id if account else ""


@admin.register(PayoutEntry)
class PayoutEntryAdmin(StaffModelAdmin):
    list_display = ("payout", "entry", "restaurant")


@admin.register(ProcessedEvent)
class ProcessedEventAdmin(StaffModelAdmin):
    list_display = ("processed_at", "event_type", "stripe_event_id", "payment_intent_id")
    search_fields = ("stripe_event_id", "payment_intent_id")
    search_help_text = "Stripe's ID of the event (evt_…) or the payment (pi_…)."
    stripe_columns = {"stripe_event_id": "events", "payment_intent_id": "payments"}


@admin.register(StripeFee)
class StripeFeeAdmin(StaffModelAdmin):
    list_display = ("charged_at", "kind", "amount", "currency", "source_id", "payment_intent_id")
    list_filter = ("kind",)
    search_fields = ("movement_id", "payment_intent_id")
    search_help_text = "Stripe's ID of the transaction (txn_…) or the payment (pi_…)."
    stripe_columns = {"payment_intent_id": "payments"}


@admin.register(Subscription)
class SubscriptionAdmin(StaffModelAdmin):
    list_display = (
        "restaurant", "status", "price", "currency", "period_ends_at", "ends_at_period_end",
        "unpaid_since", "lapsed_at", "ended_at",
    )  # fmt: skip
    list_filter = ("status",)
    search_fields = ("subscription_id",)
    search_help_text = "Stripe's ID of the subscription (sub_…)."
    stripe_columns = {"subscription_id": "subscriptions"}


@admin.register(SubscriptionSignUp)
class SubscriptionSignUpAdmin(StaffModelAdmin):
    list_display = (
        "created_at", "email", "name", "restaurant", "price", "paid_at", "registered_at", "problem",
    )  # fmt: skip
    list_filter = ("problem",)
    search_fields = ("email", "payment_intent_id")
    search_help_text = "The owner's email, or Stripe's ID of the payment (pi_…)."
    stripe_columns = {
        "payment_intent_id": "payments", "customer_id": "customers", "invoice_id": "invoices",
    }  # fmt: skip


@admin.register(WalletDomain)
class WalletDomainAdmin(StaffModelAdmin):
    list_display = ("host", "status", "problem", "checked_at", "check_at")
    list_filter = ("status",)
    search_fields = ("host",)
    search_help_text = "The host, such as luigis.example.com."


@admin.register(ReconciliationProgress)
class ReconciliationProgressAdmin(StaffModelAdmin):
    list_display = ("name", "since", "begun_at", "finished_at")


@admin.register(WebhookEventTrigger)
class WebhookEventTriggerAdmin(StaffModelAdmin):
    list_display = ("created", "valid", "processed", "exception")
    list_filter = ("valid", "processed")
    hidden = ("remote_ip", "traceback")


@admin.register(Event)
class EventAdmin(StaffModelAdmin):
    list_display = ("id", "type", "djstripe_created")
    search_fields = ("id", "type")
    search_help_text = "Stripe's ID of the event (evt_…), or a whole type."
    hidden = ("metadata",)
    stripe_columns = {"id": "events"}
