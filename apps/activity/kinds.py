"""The kinds of events in the activity log: the one list of codes, with texts and retention.

A code never changes once it was written; the text can. ASVS 5, chapter 16 names what to log.
"""

from datetime import timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

# Logs of who signed in from where: the French authority's recommendation is six months to a year,
# https://www.cnil.fr/en/topics/security and decision 60.
SECURITY_RETENTION = timedelta(days=365)
# What controls money, power, and access to data: three years, by the same recommendation.
BUSINESS_RETENTION = timedelta(days=3 * 365)


class Group(models.TextChoices):
    """What the kinds are about; the pages filter by it."""

    SIGN_IN = "sign_in", _("Sign-in")
    ACCOUNT = "account", _("Account security")
    TEAM = "team", _("Team")
    SPECIALS = "specials", _("Specials")
    MONEY = "money", _("Money")
    DATA = "data", _("Guests' data")
    SETTINGS = "settings", _("Settings")
    OPERATIONS = "operations", _("Operations")
    ACCESS = "access", _("Access")


class Kind(models.TextChoices):
    """A kind of event. The value is its stable code."""

    # --- sign-in ---
    SIGNED_IN = "signed_in", _("Signed in")
    NEW_DEVICE = "new_device", _("Signed in on a new device")
    SIGN_IN_FAILED = "sign_in_failed", _("Wrong password")
    SECOND_FACTOR_FAILED = "second_factor_failed", _("Wrong second-step code")
    CONFIRMATION_FAILED = "confirmation_failed", _("Wrong password when confirming identity")
    LOCKED_OUT = "locked_out", _("Sign-in paused after too many wrong passwords")
    SIGNED_OUT = "signed_out", _("Signed out")
    # --- account ---
    ACCOUNT_CREATED = "account_created", _("Account created")
    ACCOUNT_DATA_DOWNLOADED = "account_data_downloaded", _("Account data downloaded")
    ACCOUNT_DELETED = "account_deleted", _("Account deleted")
    ACCOUNT_EDITED = "account_edited", _("Account edited by Fully Booked staff")
    ACCOUNT_ROLE_CHANGED = "account_role_changed", _("Account role changed")
    ACCOUNT_DEACTIVATED = "account_deactivated", _("Account deactivated")
    ACCOUNT_REACTIVATED = "account_reactivated", _("Account reactivated")
    PASSWORD_CHANGED = "password_changed", _("Password changed")
    PASSWORD_RESET = "password_reset", _("Password reset by email")
    PASSWORD_RESET_SENT = "password_reset_sent", _("Password reset requested")
    EMAIL_CONFIRMED = "email_confirmed", _("Email confirmed")
    EMAIL_CHANGED = "email_changed", _("Email changed")
    SECOND_FACTOR_ADDED = "second_factor_added", _("Second step added")
    SECOND_FACTOR_REMOVED = "second_factor_removed", _("Second step removed")
    RECOVERY_CODES_CREATED = "recovery_codes_created", _("New recovery codes created")
    SOCIAL_ACCOUNT_ADDED = "social_account_added", _("Sign-in method connected")
    SOCIAL_ACCOUNT_REMOVED = "social_account_removed", _("Sign-in method disconnected")
    SESSION_ENDED = "session_ended", _("Signed out another device")
    SESSIONS_ENDED = "sessions_ended", _("Signed out all other devices")
    TOKEN_CREATED = "token_created", _("API token created")
    TOKEN_REVOKED = "token_revoked", _("API token revoked")
    TOKENS_REVOKED = "tokens_revoked", _("All API tokens revoked")
    TOKEN_AT_NEW_ADDRESS = "token_at_new_address", _("API token used from a new network")
    # --- team ---
    RESTAURANT_REGISTERED = "restaurant_registered", _("Restaurant registered")
    RESTAURANT_CLOSED = "restaurant_closed", _("Restaurant closed")
    RESTAURANT_SUSPENDED = "restaurant_suspended", _("Restaurant suspended by Fully Booked")
    RESTAURANT_RESTORED = "restaurant_restored", _("Restaurant restored by Fully Booked")
    MEMBER_INVITED = "member_invited", _("Invitation sent")
    INVITATION_REVOKED = "invitation_revoked", _("Invitation revoked")
    INVITATION_ACCEPTED = "invitation_accepted", _("Invitation accepted")
    ROLE_CHANGED = "role_changed", _("Role changed")
    MEMBER_REMOVED = "member_removed", _("Member removed")
    TWO_FACTOR_RULE_CHANGED = "two_factor_rule_changed", _("Team's two-step sign-in rule changed")
    # --- specials ---
    SPECIAL_PUBLISHED = "special_published", _("Special published")
    SPECIAL_EDITED = "special_edited", _("Special edited")
    SPECIAL_DELETED = "special_deleted", _("Special deleted")
    SPECIAL_CANCELED = "special_canceled", _("Special canceled")
    GUESTS_MESSAGED = "guests_messaged", _("Message sent to a special's guests")
    SPECIAL_RESCUED = "special_rescued", _("Minimum, portions, or deadline of a special changed")
    SERIES_CREATED = "series_created", _("Weekly series started")
    SERIES_CHANGED = "series_changed", _("Weekly series changed")
    SERIES_STOPPED = "series_stopped", _("Weekly series stopped")
    CALENDAR_FEED_CREATED = "calendar_feed_created", _("Calendar address created")
    CALENDAR_FEED_DELETED = "calendar_feed_deleted", _("Calendar address turned off")
    # --- money ---
    ORDER_CANCELED = "order_canceled", _("Order canceled")
    REFUND_REQUESTED = "refund_requested", _("Order refunded")
    REFUND_RELEASED = "refund_released", _("Refund advanced by Fully Booked")
    PHONE_ORDER_TAKEN = "phone_order_taken", _("Order taken by phone")
    DISPUTE_ANSWERED = "dispute_answered", _("Dispute answered")
    DISPUTE_ACCEPTED = "dispute_accepted", _("Dispute accepted")
    HANDED_OVER_DESPITE_DISPUTE = (
        "handed_over_despite_dispute",
        _("Disputed order handed over"),
    )
    PAYOUT_ACCOUNT_CONNECTED = "payout_account_connected", _("Payout account connected")
    PAYOUT_ACCOUNT_OPENED = "payout_account_opened", _("Payout account opened at Stripe")
    BANK_ACCOUNT_CHANGED = "bank_account_changed", _("Bank account for payouts changed")
    PAYOUT_RETRIED = "payout_retried", _("Payout retried")
    MONTH_CLOSED = "month_closed", _("Month closed in the ledger")
    STATEMENT_DOWNLOADED = "statement_downloaded", _("Statement downloaded")
    PLAN_CHANGED = "plan_changed", _("Plan changed")
    PLAN_CHANGE_SCHEDULED = "plan_change_scheduled", _("Plan change scheduled")
    PLAN_CHANGE_CANCELED = "plan_change_canceled", _("Plan change canceled")
    SUBSCRIPTION_STARTED = "subscription_started", _("Subscription started")
    SUBSCRIPTION_UNPAID = "subscription_unpaid", _("Payment of the subscription failed")
    SUBSCRIPTION_LAPSED = "subscription_lapsed", _("Subscription lapsed")
    SUBSCRIPTION_PAID = "subscription_paid", _("Overdue subscription payment received")
    SUBSCRIPTION_CANCELED = "subscription_canceled", _("Subscription canceled")
    SUBSCRIPTION_RESUMED = "subscription_resumed", _("Subscription resumed")
    SUBSCRIPTION_ENDED = "subscription_ended", _("Subscription ended")
    PAYMENT_ISSUE_FOUND = "payment_issue_found", _("Payment issue found")
    PAYMENT_ISSUE_CLOSED = "payment_issue_closed", _("Payment issue closed")
    CHARGES_CONTINUED = "charges_continued", _("Waiting payments resumed")
    CHARGE_GIVEN_UP = "charge_given_up", _("Charge abandoned")
    SETTLEMENT_PAUSED = "settlement_paused", _("Settlement paused")
    SETTLEMENT_CONTINUED = "settlement_continued", _("Settlement resumed")
    SCHEDULER_STARTED = "scheduler_started", _("Automatic settlement started")
    SCHEDULER_STOPPED = "scheduler_stopped", _("Automatic settlement stopped")
    EXPIRATIONS_PROCESSED = "expirations_processed", _("Overdue specials settled")
    SALES_LIMIT_LIFTED = "sales_limit_lifted", _("New-restaurant limit lifted")
    # --- guests' data ---
    ORDERS_EXPORTED = "orders_exported", _("Orders exported")
    EVIDENCE_DOWNLOADED = "evidence_downloaded", _("Dispute evidence downloaded")
    AUDIENCE_IMPORTED = "audience_imported", _("Followers imported")
    AUDIENCE_EXPORTED = "audience_exported", _("Followers exported")
    FOLLOWER_REMOVED = "follower_removed", _("Follower removed")
    CAMPAIGN_SCHEDULED = "campaign_scheduled", _("Email to followers scheduled")
    CAMPAIGN_CANCELED = "campaign_canceled", _("Email to followers stopped")
    GUEST_DATA_DOWNLOADED = "guest_data_downloaded", _("Guest downloaded their data")
    GUEST_DATA_ERASED = "guest_data_erased", _("Guest's data erased")
    # --- settings ---
    SETTINGS_CHANGED = "settings_changed", _("Settings changed")
    SUBDOMAIN_CHANGED = "subdomain_changed", _("Web address changed")
    BRANDING_PUBLISHED = "branding_published", _("Branding published")
    DOMAIN_ADDED = "domain_added", _("Custom domain added")
    DOMAIN_LIVE = "domain_live", _("Custom domain went live")
    DOMAIN_FAILING = "domain_failing", _("DNS records of the custom domain are missing")
    DOMAIN_ENDED = "domain_ended", _("Custom domain no longer used")
    DOMAIN_REMOVED = "domain_removed", _("Custom domain removed")
    CONTACT_CHANGE_REQUESTED = "contact_change_requested", _("New contact email entered")
    CONTACT_CHANGED = "contact_changed", _("Contact email changed")
    WEBHOOK_ADDED = "webhook_added", _("Webhook added")
    WEBHOOK_CHANGED = "webhook_changed", _("Webhook changed")
    WEBHOOK_DELETED = "webhook_deleted", _("Webhook deleted")
    WEBHOOK_SECRET_ROTATED = "webhook_secret_rotated", _("New secret for a webhook")
    WEBHOOK_TURNED_ON = "webhook_turned_on", _("Webhook turned on")
    WEBHOOK_TURNED_OFF = "webhook_turned_off", _("Webhook turned off")
    WEBHOOK_TESTED = "webhook_tested", _("Test event sent to a webhook")
    WEBHOOK_SENT_AGAIN = "webhook_sent_again", _("Events resent to a webhook")
    # --- operations ---
    ALARM_ACKNOWLEDGED = "alarm_acknowledged", _("Alarm acknowledged")
    BACKUP_TAKEN = "backup_taken", _("Backup taken")
    # --- access ---
    STAFF_VISITED = "staff_visited", _("Fully Booked staff viewed the restaurant")
    SUPPORT_VISIT_ASKED = "support_visit_asked", _("Support asked for access")
    SUPPORT_ACCESS_ALLOWED = "support_access_allowed", _("Support access turned on")
    SUPPORT_ACCESS_ENDED = "support_access_ended", _("Support access turned off")
    SUPPORT_VISIT_STARTED = "support_visit_started", _("Support visit started")
    SUPPORT_VISIT_ENDED = "support_visit_ended", _("Support visit ended")
    PERMISSION_REFUSED = "permission_refused", _("Not permitted")
    RATE_LIMITED = "rate_limited", _("Too many attempts")
    FORGERY_REFUSED = "forgery_refused", _("Invalid token, link, or signature refused")

    @property
    def group(self) -> Group:
        return _GROUPS[self]

    @property
    def retention(self) -> timedelta:
        """How long an event of this kind is stored."""
        return SECURITY_RETENTION if self.group in _SHORT_LIVED else BUSINESS_RETENTION


_SHORT_LIVED = frozenset({Group.SIGN_IN, Group.ACCOUNT, Group.ACCESS})
_FIRST_KINDS = {
    Kind.SIGNED_IN: Group.SIGN_IN,
    Kind.ACCOUNT_CREATED: Group.ACCOUNT,
    Kind.RESTAURANT_REGISTERED: Group.TEAM,
    Kind.SPECIAL_PUBLISHED: Group.SPECIALS,
    Kind.ORDER_CANCELED: Group.MONEY,
    Kind.ORDERS_EXPORTED: Group.DATA,
    Kind.SETTINGS_CHANGED: Group.SETTINGS,
    Kind.ALARM_ACKNOWLEDGED: Group.OPERATIONS,
    Kind.STAFF_VISITED: Group.ACCESS,
}


def _by_group() -> dict[Kind, Group]:
    """Each kind's group: that of the section it is listed in."""
    groups: dict[Kind, Group] = {}
    current = Group.SIGN_IN
    for kind in Kind:
        current = _FIRST_KINDS.get(kind, current)
        groups[kind] = current
    return groups


_GROUPS = _by_group()


def kinds_of(group: str) -> list[Kind]:
    """The kinds of a group, in the order of the list."""
    return [kind for kind, its in _GROUPS.items() if its == group]
