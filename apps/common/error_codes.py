"""Error codes: why the API refused a request, for programs.

A code never changes its meaning or its status, and is never translated; `message` beside it is for
people. The API's description lists these codes, and for each operation the statuses it answers
(`apps.common.api.schema`).
"""

from enum import StrEnum


class ErrorCode(StrEnum):
    """A code with the HTTP status it comes with, and what it means."""

    status: int
    meaning: str

    def __new__(cls, value: str, status: int, meaning: str) -> "ErrorCode":
        member = str.__new__(cls, value)
        member._value_ = value
        member.status = status
        member.meaning = meaning
        return member

    # --- the request is wrong ---------------------------------------------------------------------
    INVALID = "invalid", 400, "A value is missing or wrong; `errors` names the fields."
    MALFORMED = "malformed", 400, "The request can't be read, such as broken JSON."
    INVALID_CURSOR = "invalid_cursor", 400, "`cursor` isn't one of this list's; start over."
    RESTAURANT_REQUIRED = (
        "restaurant_required",
        400,
        "The account has several restaurants; name one in `X-Restaurant` or `?restaurant=`.",
    )
    PRICE_CHANGED = "price_changed", 400, "A total or price sent along isn't the current one."
    BOT_SUSPECTED = "bot_suspected", 400, "The bot check wasn't passed."
    INVALID_LINK = "invalid_link", 400, "The link was used, replaced, or has expired."

    # --- who is asking ----------------------------------------------------------------------------
    UNAUTHENTICATED = "unauthenticated", 401, "Nobody is signed in, or the token isn't valid."
    INVALID_LOGIN = "invalid_login", 401, "The email or the password is wrong."
    CODE_NEEDED = "code_needed", 401, "Send the second factor's `code` too."
    FORBIDDEN = "forbidden", 403, "This account can't do that."
    CSRF_FAILED = "csrf_failed", 403, "The header `X-CSRFToken` is missing or out of date."
    INSUFFICIENT_SCOPE = "insufficient_scope", 403, "The token's scope doesn't include this call."
    REAUTHENTICATE = "reauthenticate", 403, "Confirm your identity at `reauthenticateUrl` first."
    TWO_FACTOR_REQUIRED = "two_factor_required", 403, "Turn on two-step verification first."
    SIGN_IN_TO_CONFIRM = "sign_in_to_confirm", 403, "Sign in to the account, then open the link."
    BOT_CHECK_NEEDED = "bot_check_needed", 403, "Send the request again with a passed bot check."
    CONFIRM_EMAIL = "confirm_email", 403, "The account's email must be confirmed first."
    PROFILE_INCOMPLETE = "profile_incomplete", 403, "Complete the profile to publish more."
    SUBSCRIPTION_LAPSED = "subscription_lapsed", 403, "Pay the subscription's bill to publish."
    NOT_IN_PLAN = "not_in_plan", 403, "The restaurant's plan doesn't include this."
    RESTAURANT_CLOSED = "restaurant_closed", 403, "The restaurant isn't active."
    SUPPORT_VISIT = "support_visit", 403, "Staff can't change anything during a support visit."
    NOT_FOUND = "not_found", 404, "Not there, or not yours: the two look alike."
    METHOD_NOT_ALLOWED = "method_not_allowed", 405, "This path doesn't have this method."

    # --- it was possible, but things have changed -------------------------------------------------
    CONFLICT = "conflict", 409, "The current state doesn't allow it."
    REQUEST_IN_PROGRESS = (
        "request_in_progress",
        409,
        "A request with this `Idempotency-Key` is still running; repeat it after `Retry-After`.",
    )
    ORDERS_CLOSED = "orders_closed", 409, "The special takes no more orders."
    ORDERS_NOT_OPEN = "orders_not_open", 409, "The restaurant can't be paid yet."
    SOLD_OUT = "sold_out", 409, "Not that many portions are left."
    DEADLINE_PASSED = "deadline_passed", 409, "The special's deadline has passed."
    HAS_ORDERS = "has_orders", 409, "The special has orders."
    EDITED_MEANWHILE = (
        "edited_meanwhile",
        409,
        "Somebody changed it since `version`; read it again.",
    )
    ALREADY_ORDERED = "already_ordered", 409, "A card is already held for it."
    NOT_CHARGED = "not_charged", 409, "The order's card wasn't charged."
    REFUND_IN_PROGRESS = "refund_in_progress", 409, "Another refund of this order is under way."
    CONFIRMATION_REQUIRED = (
        "confirmation_required",
        409,
        "Send the amount again as `confirmAmount` to confirm it.",
    )
    ALREADY_REGISTERED = "already_registered", 409, "The email has an account."
    SUBDOMAIN_TAKEN = "subdomain_taken", 409, "The subdomain is taken; `suggestion` is free."
    NEEDS_ONBOARDING = "needs_onboarding", 409, "Complete the payment setup first."

    TOO_LARGE = "too_large", 413, "The body is too large."
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type", 415, "The body has another `Content-Type`."
    IDEMPOTENCY_KEY_REUSED = (
        "idempotency_key_reused",
        422,
        "The `Idempotency-Key` was used for another request; take a new one.",
    )
    TOO_MANY_ATTEMPTS = "too_many_attempts", 429, "Wait `Retry-After` seconds."
    TOO_MANY_UNPAID = "too_many_unpaid", 429, "Too many checkouts here have no card yet."
    INTERNAL_ERROR = "internal_error", 500, "Our mistake; we've been notified."
    UNAVAILABLE = "unavailable", 503, "Stripe or the email server didn't answer; try again."
    BUSY = "busy", 503, "Stripe is busy; the same request continues after `Retry-After`."


class FieldErrorCode(StrEnum):
    """What is wrong with one field."""

    INVALID = "invalid"
    REQUIRED = "required"
    NULL = "null"
    BLANK = "blank"
    TOO_SHORT = "min_length"
    TOO_LONG = "max_length"
    TOO_SMALL = "min_value"
    TOO_LARGE = "max_value"
    NOT_A_CHOICE = "invalid_choice"
    NOT_A_LIST = "not_a_list"
    EMPTY = "empty"
    MAX_DIGITS = "max_digits"
    MAX_DECIMAL_PLACES = "max_decimal_places"
    TAKEN = "taken"
    CHANGED = "changed"
