"""Everything that can change something leaves an event, or is listed here with the reason why not.

A new endpoint, form, or kind of event has to be added here, so that nobody forgets the event. The
other tests of this folder show that the events are written.
"""

from pathlib import Path

import pytest

from apps.activity.kinds import Kind as K
from tests.activity.writes import api_writes, pages_that_write

GUEST = "a guest's own order: its history is the order's, with actor and reason"
ORDER = "in the order's own history, with the actor (preorders.manage.activity)"
MENU = "the regular menu: no money, access or personal data"
NOTHING_STORED = "it changes nothing that is stored"
OWN_CHOICE = "what one person sees or is sent, and changes nothing for others"
SIGN_IN = (K.SIGNED_IN, K.NEW_DEVICE, K.SIGN_IN_FAILED, K.LOCKED_OUT, K.SECOND_FACTOR_FAILED)
REGISTERED = (K.ACCOUNT_CREATED, K.RESTAURANT_REGISTERED)
CONFIRMED = (K.SIGNED_IN, K.CONFIRMATION_FAILED, K.SECOND_FACTOR_FAILED)

EVENTS_OF: dict[str, tuple[K, ...] | str] = {
    # --- the API: accounts ---
    "POST /api/login": (*SIGN_IN, K.TOKEN_CREATED),
    "POST /api/logout": (K.SIGNED_OUT, K.TOKEN_REVOKED),
    "POST /api/register": REGISTERED,
    "POST /api/multi-tenant/register": REGISTERED,
    "POST /api/create-subscription-payment-intent": "a payment to be made; paying is logged",
    "POST /api/restaurant/register": (*REGISTERED, K.SUBSCRIPTION_STARTED),
    "POST /api/send-email-confirmation": "a link by email; using it is logged",
    "POST /api/verify-email-confirmation": (K.EMAIL_CONFIRMED, *REGISTERED),
    "POST /api/forgot-password": (K.PASSWORD_RESET_SENT,),
    "POST /api/validate-reset-token": NOTHING_STORED,
    "POST /api/reset-password": (K.PASSWORD_RESET,),
    "POST /api/verify-hcaptcha": NOTHING_STORED,
    "PUT /api/restaurant/password": (K.PASSWORD_CHANGED, K.CONFIRMATION_FAILED),
    "POST /api/tokens": (K.TOKEN_CREATED,),
    "DELETE /api/tokens/{tokenId}": (K.TOKEN_REVOKED,),
    # --- the API: specials and the menu ---
    "POST /api/dishes/special-offers": (K.SPECIAL_PUBLISHED,),
    "PUT /api/dishes/{offerId}": (K.SPECIAL_EDITED,),
    "DELETE /api/dishes/{offerId}": (K.SPECIAL_DELETED,),
    "DELETE /api/specials/{offerId}": (K.SPECIAL_DELETED,),
    "POST /api/specials/{offerId}/cancel": (K.SPECIAL_CANCELED,),
    "POST /api/specials/{offerId}/messages": (K.GUESTS_MESSAGED,),
    "POST /api/specials/{offerId}/messages/preview": NOTHING_STORED,
    "POST /api/specials/{offerId}/rescue": (K.SPECIAL_RESCUED,),
    "POST /api/dishes/{offerId}/change": NOTHING_STORED,
    "POST /api/menu/dishes/{dishId}/change": NOTHING_STORED,
    "PUT /api/specials/{offerId}/slots": "pickup times; guests' choices stay valid",
    "POST /api/specials/{offerId}/seen": "a visit, counted without a person",
    "POST /api/images/upload": MENU,
    "POST /api/upload-image": MENU,
    "POST /api/dishes/add-to-menu": MENU,
    "POST /api/menu/dishes": MENU,
    "PATCH /api/menu/dishes/{dishId}": MENU,
    "DELETE /api/menu/dishes/{dishId}": MENU,
    "PUT /api/menu/order": MENU,
    # --- the API: orders ---
    "POST /api/orders/{orderId}/cancel": (K.ORDER_CANCELED,),
    "POST /api/orders/{orderId}/refund": (K.REFUND_REQUESTED,),
    "POST /api/orders/bulk": (K.ORDER_CANCELED, K.REFUND_REQUESTED),
    "POST /api/orders/phone": (K.PHONE_ORDER_TAKEN,),
    "POST /api/orders/{orderId}/pick-up": ORDER,
    "POST /api/pick-up/check-ins": ORDER,
    "POST /api/specials/{offerId}/follow": OWN_CHOICE,
    "POST /api/specials/{offerId}/unfollow": OWN_CHOICE,
    "POST /api/notices/push": OWN_CHOICE,
    "POST /api/notices/push/stop": OWN_CHOICE,
    "POST /api/orders/{orderId}/no-show": ORDER,
    "POST /api/orders/{orderId}/undo": ORDER,
    "POST /api/orders/{orderId}/notes": ORDER,
    "POST /api/orders/{orderId}/resend": ORDER,
    "POST /api/orders/{orderId}/new-link": ORDER,
    "POST /api/pre-orders": GUEST,
    "POST /api/create-multi-offer-payment-intent": GUEST,
    "DELETE /api/checkouts/{checkoutId}": GUEST,
    "POST /api/checkouts/{checkoutId}/confirm": GUEST,
    "POST /api/checkouts/{checkoutId}/resume": GUEST,
    "POST /api/checkouts/{checkoutId}/items/{orderId}/retry": GUEST,
    "POST /api/email-subscription": OWN_CHOICE,
    "POST /api/demo/track": "a visitor of the demo, counted without a person",
    # --- the API: the restaurant ---
    "PUT /api/restaurant": (K.SETTINGS_CHANGED,),
    "PUT /api/restaurant/embed-sites": (K.SETTINGS_CHANGED,),
    "PUT /api/restaurant/social": (K.SETTINGS_CHANGED,),
    "PUT /api/restaurant/settings": (K.SETTINGS_CHANGED,),
    "PUT /api/restaurant/subdomain": (K.SUBDOMAIN_CHANGED,),
    "PUT /api/restaurant/upgrade-tier": (
        K.PLAN_CHANGED,
        K.PLAN_CHANGE_SCHEDULED,
        K.PLAN_CHANGE_CANCELED,
    ),
    "POST /api/onboarding/complete": OWN_CHOICE,
    "POST /api/restaurants/{restaurantId}/choose": OWN_CHOICE,
    "POST /api/announcements/generate": NOTHING_STORED,
    "PUT /api/announcements/reminder": OWN_CHOICE,
    "DELETE /api/announcements/{announcementId}/reminder": OWN_CHOICE,
    "POST /api/announcements/post": "a text about public specials; stored with who wrote it",
    "POST /api/send-announcement-courtesy-copy": "an email to the restaurant itself",
    "POST /api/subscription/create-checkout-session": NOTHING_STORED,
    "POST /api/subscriptions/billing-portal": NOTHING_STORED,
    "POST /api/subscriptions/cancel": (K.SUBSCRIPTION_CANCELED, K.SUBSCRIPTION_ENDED),
    "POST /api/subscriptions/resume": (K.SUBSCRIPTION_RESUMED,),
    "POST /api/connect-onboarding": (K.PAYOUT_ACCOUNT_CONNECTED, K.PAYOUT_ACCOUNT_OPENED),
    "POST /api/stripe/onboarding": (K.PAYOUT_ACCOUNT_CONNECTED, K.PAYOUT_ACCOUNT_OPENED),
    "POST /api/connect-dashboard": (K.PAYOUT_ACCOUNT_OPENED,),
    # --- the API: the team ---
    "POST /api/team/invitations": (K.MEMBER_INVITED,),
    "DELETE /api/team/invitations/{invitationId}": (K.INVITATION_REVOKED,),
    "PATCH /api/team/members/{userId}": (K.ROLE_CHANGED,),
    "DELETE /api/team/members/{userId}": (K.MEMBER_REMOVED,),
    "POST /api/invitations/{token}": (K.INVITATION_ACCEPTED,),
    # --- the API: the platform's staff ---
    "POST /api/admin/process-expirations": (K.EXPIRATIONS_PROCESSED,),
    "POST /api/admin/scheduler/start": (K.SCHEDULER_STARTED,),
    "POST /api/admin/scheduler/stop": (K.SCHEDULER_STOPPED,),
    # --- pages: accounts ---
    "POST /login": SIGN_IN,
    "POST /logout": (K.SIGNED_OUT,),
    "POST /register": REGISTERED,
    "POST /progressive-registration": "a link by email; using it is logged",
    "POST /marketing": "a link by email; using it is logged",
    "POST /forgot-password": (K.PASSWORD_RESET_SENT,),
    "POST /reset-password": (K.PASSWORD_RESET,),
    "POST /restaurant/reset-password": (K.PASSWORD_RESET,),
    "POST /account/again": CONFIRMED,
    "POST /account/confirmation": "a link by email; using it is logged",
    "POST /account/email": (K.EMAIL_CHANGED,),
    r"POST /^account/confirm-email/(?P<key>[-:\w]+)$": (K.EMAIL_CONFIRMED, K.EMAIL_CHANGED),
    "POST /account/name": "a display name",
    "POST /account/data": (K.ACCOUNT_DATA_DOWNLOADED,),
    "POST /account-deleted": NOTHING_STORED,
    "POST /account/delete": (K.ACCOUNT_DELETED, K.RESTAURANT_CLOSED, K.MEMBER_REMOVED),
    "POST /api/account/deletion": (K.ACCOUNT_DELETED, K.RESTAURANT_CLOSED, K.MEMBER_REMOVED),
    "POST /restaurant/branding/save": "a draft that only the owners see",
    "POST /restaurant/branding/discard": "a draft that only the owners see",
    "POST /restaurant/branding/publish": (K.BRANDING_PUBLISHED,),
    "POST /restaurant/domain/add": (K.DOMAIN_ADDED,),
    "POST /restaurant/domain/check": (K.DOMAIN_LIVE, K.DOMAIN_FAILING, K.DOMAIN_ENDED),
    "POST /restaurant/domain/remove": (K.DOMAIN_REMOVED,),
    "POST /account/password": (K.PASSWORD_CHANGED, K.CONFIRMATION_FAILED),
    "POST /account/password/first": (K.PASSWORD_CHANGED,),
    "POST /account/sessions": (K.SESSIONS_ENDED, K.TOKENS_REVOKED, K.SIGNED_OUT),
    "POST /account/sessions/<int:session_id>": (K.SESSION_ENDED, K.SIGNED_OUT),
    "POST /account/tokens": (K.TOKEN_CREATED,),
    "POST /account/tokens/<uuid:token_id>": (K.TOKEN_REVOKED,),
    "POST /account/sign-up": NOTHING_STORED,
    "POST /account/connections/": (K.SOCIAL_ACCOUNT_REMOVED,),
    "POST /account/connections/signup/": (K.SOCIAL_ACCOUNT_ADDED, *REGISTERED),
    "POST /account/two-factor/": NOTHING_STORED,
    "POST /account/two-factor/authenticate/": SIGN_IN,
    "POST /account/two-factor/reauthenticate/": CONFIRMED,
    "POST /account/two-factor/recovery-codes/": NOTHING_STORED,
    "POST /account/two-factor/recovery-codes/download/": NOTHING_STORED,
    "POST /account/two-factor/recovery-codes/generate/": (K.RECOVERY_CODES_CREATED,),
    "POST /account/two-factor/totp/activate/": (K.SECOND_FACTOR_ADDED,),
    "POST /account/two-factor/totp/deactivate/": (K.SECOND_FACTOR_REMOVED,),
    "POST /account/two-factor/webauthn/": NOTHING_STORED,
    "POST /account/two-factor/webauthn/add/": (K.SECOND_FACTOR_ADDED,),
    "POST /account/two-factor/webauthn/keys/<int:pk>/edit/": "a passkey's display name",
    "POST /account/two-factor/webauthn/keys/<int:pk>/remove/": (K.SECOND_FACTOR_REMOVED,),
    "POST /account/two-factor/webauthn/login/": SIGN_IN,
    "POST /account/two-factor/webauthn/reauthenticate/": CONFIRMED,
    # --- pages: the restaurant and the staff ---
    "POST /restaurant/offers/<uuid:offer_id>/repeat": (K.SERIES_CREATED,),
    "POST /restaurant/series/<uuid:series_id>": (K.SERIES_CHANGED,),
    "POST /restaurant/series/<uuid:series_id>/skip": (K.SERIES_CHANGED,),
    "POST /restaurant/series/<uuid:series_id>/unskip": (K.SERIES_CHANGED,),
    "POST /restaurant/series/<uuid:series_id>/stop": (K.SERIES_STOPPED,),
    "POST /restaurant/calendar/feed": (K.CALENDAR_FEED_CREATED, K.CALENDAR_FEED_DELETED),
    "POST /restaurant/contact/confirm": (K.CONTACT_CHANGED,),
    "POST /restaurant/security/contact": (K.CONTACT_CHANGE_REQUESTED, K.CONTACT_CHANGED),
    "POST /restaurant/security/two-factor": (K.TWO_FACTOR_RULE_CHANGED,),
    "POST /restaurant/notices": OWN_CHOICE,
    "POST /restaurant/disputes/<uuid:dispute_id>": (
        K.DISPUTE_ANSWERED,
        K.DISPUTE_ACCEPTED,
        K.HANDED_OVER_DESPITE_DISPUTE,
    ),
    "POST /restaurant/fraud-warnings/<uuid:warning_id>/refund": (K.REFUND_REQUESTED,),
    "POST /restaurant/payments/connect": (K.PAYOUT_ACCOUNT_CONNECTED, K.PAYOUT_ACCOUNT_OPENED),
    "POST /restaurant/payouts/<uuid:payout_id>/retry": (K.PAYOUT_RETRIED,),
    "POST /staff/status": (K.ALARM_ACKNOWLEDGED,),
    "POST /restaurant/audience/import": (K.AUDIENCE_IMPORTED,),
    "POST /restaurant/audience/export": (K.AUDIENCE_EXPORTED,),
    "POST /restaurant/audience/nudges": (K.SETTINGS_CHANGED,),
    "POST /restaurant/audience/<uuid:subscriber_id>/remove": (K.FOLLOWER_REMOVED,),
    "POST /restaurant/audience/emails/new": (K.CAMPAIGN_SCHEDULED,),
    "POST /restaurant/audience/emails/<uuid:campaign_id>/stop": (K.CAMPAIGN_CANCELED,),
    "POST /restaurant/webhooks": (K.WEBHOOK_ADDED,),
    "POST /restaurant/webhooks/<uuid:endpoint_id>": (K.WEBHOOK_CHANGED,),
    "POST /restaurant/webhooks/<uuid:endpoint_id>/secret": (K.WEBHOOK_SECRET_ROTATED,),
    "POST /restaurant/webhooks/<uuid:endpoint_id>/on": (K.WEBHOOK_TURNED_ON,),
    "POST /restaurant/webhooks/<uuid:endpoint_id>/off": (K.WEBHOOK_TURNED_OFF,),
    "POST /restaurant/webhooks/<uuid:endpoint_id>/delete": (K.WEBHOOK_DELETED,),
    "POST /restaurant/webhooks/<uuid:endpoint_id>/test": (K.WEBHOOK_TESTED,),
    "POST /restaurant/webhooks/<uuid:endpoint_id>/send-again": (K.WEBHOOK_SENT_AGAIN,),
    "POST /staff/restaurants/<uuid:restaurant_id>": (
        K.RESTAURANT_SUSPENDED,
        K.RESTAURANT_RESTORED,
    ),
    "POST /api/users": (K.ACCOUNT_CREATED,),
    "PUT /api/users/{userId}": (
        K.ACCOUNT_EDITED,
        K.ACCOUNT_ROLE_CHANGED,
        K.ACCOUNT_DEACTIVATED,
        K.ACCOUNT_REACTIVATED,
        K.EMAIL_CHANGED,
    ),
    "DELETE /api/users/{userId}": (K.ACCOUNT_DELETED, K.MEMBER_REMOVED),
    "POST /staff/payment-issues": (
        K.PAYMENT_ISSUE_CLOSED,
        K.CHARGES_CONTINUED,
        K.CHARGE_GIVEN_UP,
    ),
    "POST /staff/support/<uuid:restaurant_id>": (K.SUPPORT_VISIT_ASKED,),
    "POST /staff/support/<uuid:visit_id>/start": (K.SUPPORT_VISIT_STARTED,),
    "POST /staff/support/end": (K.SUPPORT_VISIT_ENDED,),
    "POST /restaurant/security/support": (
        K.SUPPORT_ACCESS_ALLOWED,
        K.SUPPORT_ACCESS_ENDED,
        K.SUPPORT_VISIT_ENDED,
    ),
    "POST /staff/data/accounts/user/<path:object_id>/do/<slug:action>": (
        K.SESSIONS_ENDED,
        K.TOKENS_REVOKED,
    ),
    "POST /staff/data/accounts/bearertoken/<path:object_id>/do/<slug:action>": (K.TOKEN_REVOKED,),
    "POST /staff/data/billing/connectaccount/<path:object_id>/do/<slug:action>": (
        K.SALES_LIMIT_LIFTED,
    ),
    "POST /staff/data/billing/payout/<path:object_id>/do/<slug:action>": (K.PAYOUT_RETRIED,),
    "POST /staff/data/billing/discrepancy/<path:object_id>/do/<slug:action>": (
        K.PAYMENT_ISSUE_CLOSED,
        K.CHARGES_CONTINUED,
        K.CHARGE_GIVEN_UP,
    ),
    "POST /admin/expiration": (
        K.SETTLEMENT_PAUSED,
        K.SETTLEMENT_CONTINUED,
        K.CHARGES_CONTINUED,
        K.CHARGE_GIVEN_UP,
    ),
    # --- pages: guests and others ---
    "POST /order/<str:token>": (K.ORDER_CANCELED, K.GUEST_DATA_ERASED),
    "POST /specials/<uuid:special_id>/pre-order": GUEST,
    "POST /specials/<uuid:special_id>/friends/<str:token>/order": GUEST,
    "POST /specials/<uuid:special_id>/waitlist": GUEST,
    "POST /waitlist/<str:token>/email": GUEST,
    "POST /waitlist/<str:token>/leave": GUEST,
    "POST /waitlist/<str:token>/order": GUEST,
    "POST /waitlist/<str:token>/portions": GUEST,
    "POST /find-order": NOTHING_STORED,
    "POST /email-preferences/<str:key>": OWN_CHOICE,
    "POST /email-updates": OWN_CHOICE,
    "POST /follow": OWN_CHOICE,
    "POST /follow/<str:token>": OWN_CHOICE,
    "POST /stripe/webhook/<uuid:uuid>": (K.BANK_ACCOUNT_CHANGED,),
    r"POST /^media/(?P<path>photos/[0-9a-f-]{36}/[0-9a-f-]{36}/\d+\.(?:avif|webp|jpg))\Z": (
        NOTHING_STORED
    ),
}
# Kinds that no request to write causes: reading, refusals, and what the program and operators'
# commands do.
OTHERWISE = {
    K.TOKEN_AT_NEW_ADDRESS,
    K.STAFF_VISITED,
    K.PERMISSION_REFUSED,
    K.RATE_LIMITED,
    K.FORGERY_REFUSED,
    K.ORDERS_EXPORTED,
    K.EVIDENCE_DOWNLOADED,
    K.GUEST_DATA_DOWNLOADED,
    K.REFUND_RELEASED,
    K.BACKUP_TAKEN,
    K.MONTH_CLOSED,
    K.PAYMENT_ISSUE_FOUND,
    K.STATEMENT_DOWNLOADED,
    K.SUBSCRIPTION_UNPAID,
    K.SUBSCRIPTION_LAPSED,
    K.SUBSCRIPTION_PAID,
}
APPS = Path(__file__).parents[2] / "apps"


@pytest.mark.django_db
def test_everything_that_writes_says_which_events_it_leaves(api):
    found = api_writes()
    for urlconf in ("config.urls_platform", "config.urls_restaurant"):
        found |= pages_that_write(api(), urlconf)
    assert found == set(EVENTS_OF)


def test_every_kind_belongs_to_something_that_happens():
    written = {kind for kinds in EVENTS_OF.values() if not isinstance(kinds, str) for kind in kinds}
    assert written | OTHERWISE == set(K)
    assert not written & OTHERWISE


def _sources(folder):
    return "\n".join(path.read_text() for path in folder.rglob("*.py"))


def test_every_kind_is_written_by_the_program_and_seen_by_a_test():
    code = _sources(APPS)
    tests = "\n".join(
        path.read_text()
        for path in Path(__file__).parent.glob("test_*.py")
        if path.name != Path(__file__).name
    )
    assert [kind for kind in K if f"Kind.{kind.name}" not in code] == []
    assert [kind for kind in K if f'"{kind}"' not in tests] == []
