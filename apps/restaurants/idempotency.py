"""Idempotency keys: a request that is sent again takes effect once (decision 33).

A client names a request with a key of its own. The first request with it claims the key, and its
answer is stored; the same request again gets that answer. What the request did is recorded in the
transaction that does it (`Attempt.record`). So if a process dies before the answer is stored, the
next attempt finds the record and answers with the result.

After the Internet-Draft "The Idempotency-Key HTTP Header Field"
(https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/): a key that belongs to
another request answers 422, one whose request is still running 409. As at Stripe
(https://docs.stripe.com/api/idempotent_requests), a refusal is not stored, and keys are forgotten
after a day. Call everything while acting as the restaurant.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, DomainError
from apps.restaurants.models import IdempotencyKey, Restaurant

# How long an answer is stored at least (apps.privacy.retention); clients repeat within minutes.
LIFETIME = timedelta(hours=24)
# How long a request may run before another attempt may begin: longer than any that calls Stripe.
CLAIM = timedelta(seconds=90)
KEY_REUSED = (
    "This was already sent with other values and carried out. Check the result first. To do "
    "it again with these values, send it once more."
)
STILL_RUNNING = "This request is still being processed. Send it again in a moment."


class KeyReused(DomainError):
    """The key belongs to a request with another path or body."""

    code = ErrorCode.IDEMPOTENCY_KEY_REUSED

    def __init__(self) -> None:
        super().__init__(KEY_REUSED)


class StillRunning(Conflict):
    """A request with this key is being processed."""

    code = ErrorCode.REQUEST_IN_PROGRESS
    retry_after = 2

    def __init__(self) -> None:
        super().__init__(STILL_RUNNING)


@dataclass(frozen=True, slots=True)
class Answer:
    """The stored answer of a request."""

    status: int
    body: Any


@dataclass(slots=True)
class Attempt:
    """One attempt of a request with a key. `result_id` is the row an earlier attempt created or
    changed, without getting to store its answer."""

    key_id: int
    result_id: UUID | None = None
    answer: Answer | None = None
    claimed_until: datetime | None = field(default=None, repr=False)

    def record(self, result_id: UUID) -> None:
        """Record what this attempt did; call it in the same transaction. Raises StillRunning, which
        rolls that back, if this attempt took longer than its claim and another one was first."""
        mine = IdempotencyKey.objects.filter(pk=self.key_id, result_id=self.result_id)
        if not mine.update(result_id=result_id):
            raise StillRunning
        self.result_id = result_id

    def store(self, answer: Answer) -> None:
        """Store the answer, for whoever sends the request again."""
        IdempotencyKey.objects.filter(pk=self.key_id).update(
            status=answer.status, body=answer.body, claimed_until=None
        )

    def release(self) -> None:
        """Free the key of a request that was refused or failed. If nothing was recorded, even a
        corrected request can use it."""
        mine = IdempotencyKey.objects.filter(pk=self.key_id, claimed_until=self.claimed_until)
        mine.filter(result_id=None).delete()
        mine.update(claimed_until=None)


def claim_key(
    *, restaurant: Restaurant, caller: str, key: str, fingerprint: str, now: datetime
) -> Attempt:
    """Begin an attempt, or find the answer of an earlier one.

    Keys belong to a restaurant and a `caller`; `fingerprint` identifies what is requested. Raises
    KeyReused and StillRunning.
    """
    until = now + CLAIM
    row, is_new = IdempotencyKey.objects.get_or_create(
        restaurant=restaurant,
        caller=caller,
        key=key,
        defaults={"fingerprint": fingerprint, "claimed_until": until, "created_at": now},
    )
    if is_new:
        return Attempt(row.pk, claimed_until=until)
    if row.fingerprint != fingerprint:
        raise KeyReused
    if row.status is not None:
        return Attempt(row.pk, row.result_id, Answer(row.status, row.body))
    free = IdempotencyKey.objects.filter(pk=row.pk, status=None, claimed_until=row.claimed_until)
    is_claimed = row.claimed_until is not None and row.claimed_until > now
    if is_claimed or not free.update(claimed_until=until):
        raise StillRunning
    return Attempt(row.pk, row.result_id, claimed_until=until)
