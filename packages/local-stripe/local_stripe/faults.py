"""Injected faults. They are kept in memory only, so restarting the server clears them."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class MoneyFault:
    """Makes the next ``times`` captures (or cancellations) fail, for one intent or any."""

    kind: str
    payment_intent: str | None = None
    times: int = 1


@dataclass
class HoldFault:
    """Declines the next ``times`` matching off-session payments for this reason."""

    kind: str
    amount: int | None = None
    pre_order: str | None = None
    times: int = 1

    def fits(self, intent: dict[str, Any]) -> bool:
        fits_order = self.pre_order in (None, intent["metadata"].get("pre_order_id"))
        return fits_order and self.amount in (None, intent["amount"])


@dataclass
class HttpFault:
    """Makes the next ``times`` matching requests fail."""

    kind: str
    method: str | None = None
    path_prefix: str = "/v1/"
    times: int = 1


@dataclass
class RefundCounting:
    """Which refunds besides succeeded ones count in a charge's ``amount_refunded``.

    Stripe doesn't document it, so a program has to be right with either.
    """

    pending: bool = True
    failed: bool = False


# What Stripe's documentation leaves open and this server can also do the other way, by name. The
# rows of BEHAVIORS.md name them.
OTHER_WAYS = {
    "anchored_start_has_invoice": "a free start until an anchor makes a paid invoice of zero",
    "cancellation_expires_charge": "canceling an authorization sends charge.expired too",
    "capture_needs_no_capability": "an account without capabilities can still be captured for",
    "declined_capture_cancels": "a declined capture cancels its intent",
    "deleted_customer_refuses_refunds": "charges of a deleted customer can't be refunded",
    "deleting_again_succeeds": "deleting a deleted customer answers as the first time",
    "detached_card_unnamed": "charging a detached card is refused without a param",
    "escalation_opens_another": "an inquiry is closed and a chargeback is a dispute of its own",
    "evidence_again": "evidence is accepted while a dispute is under review",
    "fee_return_apart": "an account's returned fee is an application_fee_refund",
    "fee_rounds_down": "a share of the application fee is rounded down",
    "late_win_keeps_status": "funds that are reinstated later leave a dispute lost",
    "long_names_are_cut_at_a_word": "a name too long for a statement is cut at a word",
    "no_wallets_on_behalf_of": "elements with onBehalfOf show no wallets on the platform's domain",
    "one_request_at_a_time": "a request that comes while another is answered is refused",
    "open_check_stays": "an intent that requires an action can't be confirmed with another card",
    "refused_requests_count": "requests over a rate limit count like the others",
    "room_returns_late": "a canceled authorization still uses up the card's room",
    "seconds_begin_with_the_clock": "a rate limit counts from one full second to the next",
    "waiting_refund_keeps_transfer": "a refund that waits for the balance reverses nothing yet",
}


@dataclass
class Faults:
    capture: list[MoneyFault] = field(default_factory=list)
    cancel: list[MoneyFault] = field(default_factory=list)
    hold: list[HoldFault] = field(default_factory=list)
    http: list[HttpFault] = field(default_factory=list)
    latency: dict[str, float] = field(default_factory=dict)
    refund_counting: RefundCounting = field(default_factory=RefundCounting)
    # Refuse refunds and reversals that a balance doesn't cover, instead of letting the refund wait
    # or the connected account owe: Stripe documents neither for every account.
    refuse_uncovered: bool = False
    # Names of OTHER_WAYS.
    otherwise: set[str] = field(default_factory=set)
    # What a subscription becomes when its last retry is declined, which Stripe's settings decide:
    # ``cancel``, ``unpaid``, or ``past_due``.
    after_retries: str = "cancel"
    # Hosts on which Apple Pay can't show.
    inactive_domains: set[str] = field(default_factory=set)

    def does(self, name: str) -> bool:
        """Return whether this of OTHER_WAYS is chosen."""
        assert name in OTHER_WAYS, name
        return name in self.otherwise

    def take_money(self, operation: str, payment_intent: str) -> str | None:
        """Return the kind of fault to apply to this capture or cancellation, if any."""
        waiting = self.capture if operation == "capture" else self.cancel
        for fault in waiting:
            if fault.payment_intent in (None, payment_intent):
                fault.times -= 1
                if fault.times <= 0:
                    waiting.remove(fault)
                return fault.kind
        return None

    def take_hold(self, intent: dict[str, Any]) -> str | None:
        """Return the reason to decline this off-session payment, if any."""
        for fault in self.hold:
            if fault.fits(intent):
                fault.times -= 1
                if fault.times <= 0:
                    self.hold.remove(fault)
                return fault.kind
        return None

    def take_http(self, method: str, path: str) -> str | None:
        for fault in self.http:
            if fault.method in (None, method) and path.startswith(fault.path_prefix):
                fault.times -= 1
                if fault.times <= 0:
                    self.http.remove(fault)
                return fault.kind
        return None

    def latency_for(self, path: str) -> float:
        """Return how many seconds to wait before answering a request to the path."""
        return max((s for prefix, s in self.latency.items() if path.startswith(prefix)), default=0)
