"""Pauses of settlement: what holds it back, and for how long (decision 80).

One table and one rule for a person's pause, for the stopped scheduler and for the program's own
pause after many declined captures. A pause holds back the decision about specials and what follows
from it for guests' cards: captures, and the release of holds. What a person asked for goes on:
cancellations, refunds, charges that are given up, holds of new orders, renewals before the
deadline. What a worker is in the middle of is finished.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.errors import FieldError, Invalid, NotFound
from apps.common.transitions import ACTOR_LENGTH
from apps.offers.models import SpecialOffer
from apps.preorders.models import SETTLEMENT_KINDS, PaymentOperation, SettlementPause
from apps.preorders.models.states import (
    Instruction,
    OperationStage,
    PauseScope,
    PreOrderStatus,
)
from apps.restaurants.models import Restaurant

REASON_LENGTH = 255  # characters
REASON_NEEDED = f"Enter a reason of at most {REASON_LENGTH} characters."
NO_SUCH_TARGET = "We couldn't find that {what}. Check its ID."
# Of orders that somebody canceled, and payment links that were sent, nothing waits.
_ASKED_FOR = Q(instruction=Instruction.GIVE_UP) | (
    Q(stage=OperationStage.PAY_LINK) & ~Q(reference="")
)
_GOES_ON = Q(pre_order__status=PreOrderStatus.CANCELLED) | _ASKED_FOR


@dataclass(frozen=True, slots=True)
class Target:
    """What is paused, continued, retried, or given up."""

    scope: PauseScope
    id: UUID | None = None
    name: str = ""
    restaurant_id: UUID | None = None


EVERYTHING = Target(PauseScope.ALL, name="All settlement")
SCHEDULER = Target(PauseScope.SCHEDULER, name="Automatic settlement")


def find_target(scope: str, named: str = "") -> Target:
    """What is meant by a scope and a name: a restaurant's subdomain or id, a special's id, a
    payment operation's number. Act as the platform. Raises NotFound and Invalid."""
    match scope:
        case PauseScope.ALL:
            return EVERYTHING
        case PauseScope.SCHEDULER:
            return SCHEDULER
        case PauseScope.RESTAURANT:
            by_name = Q(subdomain=named.lower())
            row = Restaurant.objects.filter(by_name | Q(pk=_uuid(named))).first()
            if row:
                return Target(PauseScope.RESTAURANT, row.pk, row.name, row.pk)
        case PauseScope.SPECIAL:
            offer = SpecialOffer.objects.filter(Q(pk=_uuid(named))).first()
            if offer:
                return target_of_offer(offer)
        case PauseScope.OPERATION:
            rows = PaymentOperation.objects.select_related("pre_order")
            found = rows.filter(pk=named).first() if _is_number(named) else None
            if found:
                name = f"{found.kind} of order {found.pre_order.code}"
                return Target(PauseScope.OPERATION, found.key, name, found.restaurant_id)
        case _:
            raise Invalid.because([FieldError("scope", "Choose what to pause.")])
    what = PauseScope(scope).label.removeprefix("A ")
    raise NotFound(NO_SUCH_TARGET.format(what=what))


def target_of_offer(offer: SpecialOffer) -> Target:
    return Target(PauseScope.SPECIAL, offer.pk, offer.name, offer.restaurant_id)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


# --- reading --------------------------------------------------------------------------------------
def settlement_pauses(*, now: datetime) -> list[SettlementPause]:
    """The pauses that hold something back now, oldest first. Whoever is acting sees all."""
    return list(SettlementPause.objects.filter(_active(now)).order_by("started_at", "pk"))


def _active(now: datetime) -> Q:
    return Q(ended_at=None) & (Q(ends_at=None) | Q(ends_at__gt=now))


def is_scheduler_running(*, now: datetime) -> bool:
    """Whether specials are settled automatically, as far as nothing else is paused."""
    return all(pause.scope != PauseScope.SCHEDULER for pause in settlement_pauses(now=now))


def decision_pause(
    offer: SpecialOffer, *, now: datetime, automatic: bool = False
) -> SettlementPause | None:
    """What holds back the decision about this offer; the stopped scheduler only if `automatic`."""
    targets: dict[str, UUID | None] = {
        PauseScope.ALL: None,
        PauseScope.RESTAURANT: offer.restaurant_id,
        PauseScope.SPECIAL: offer.pk,
    }
    if automatic:
        targets[PauseScope.SCHEDULER] = None
    for pause in settlement_pauses(now=now):
        if pause.scope in targets and pause.target == targets[pause.scope]:
            return pause
    return None


def paused_offers(pauses: Sequence[SettlementPause], *, automatic: bool = False) -> Q | None:
    """The offers whose decision these pauses hold back; None if that is none."""
    found = None
    for pause in pauses:
        match pause.scope:
            case PauseScope.ALL:
                each = Q(pk__isnull=False)
            case PauseScope.SCHEDULER if automatic:
                each = Q(pk__isnull=False)
            case PauseScope.RESTAURANT:
                each = Q(restaurant=pause.target)
            case PauseScope.SPECIAL:
                each = Q(pk=pause.target)
            case _:
                continue
        found = each if found is None else found | each
    return found


def held_back(pauses: Sequence[SettlementPause]) -> Q | None:
    """The payment operations that these pauses hold back; None if that is none."""
    found = None
    for pause in pauses:
        match pause.scope:
            case PauseScope.ALL:
                each = Q(kind__in=SETTLEMENT_KINDS)
            case PauseScope.RESTAURANT:
                each = Q(kind__in=SETTLEMENT_KINDS, restaurant=pause.target)
            case PauseScope.SPECIAL:
                each = Q(kind__in=SETTLEMENT_KINDS, pre_order__offer=pause.target)
            case PauseScope.OPERATION:
                each = Q(key=pause.target)
            case _:
                continue
        found = each if found is None else found | each
    return None if found is None else found & ~_GOES_ON


def is_held_back(operation: PaymentOperation, active: Sequence[SettlementPause]) -> bool:
    """Whether one of these pauses holds this operation back, as it is in the database now."""
    paused = held_back(active)
    return paused is not None and (
        PaymentOperation.objects.filter(paused, pk=operation.pk).exists()
    )


def was_paused_for_declines(offer_id: UUID, *, now: datetime) -> bool:
    """Whether the program has paused this offer before, and that is over: it does so once."""
    by_program = SettlementPause.objects.filter(
        scope=PauseScope.SPECIAL, target=offer_id, started_by=""
    )
    return any(not pause.is_active(now) for pause in by_program)


@dataclass(frozen=True, slots=True)
class ShownPause:
    """A pause with the name of what it holds back, and how a person names that again."""

    pause: SettlementPause
    name: str
    named: str


def shown_pauses(*, now: datetime) -> list[ShownPause]:
    """`settlement_pauses` for people, in a constant number of queries; act as the platform."""
    active = settlement_pauses(now=now)
    ids = {pause.target for pause in active if pause.target}
    restaurants = Restaurant.objects.in_bulk(ids)
    offers = SpecialOffer.objects.select_related("restaurant").in_bulk(ids)
    operations = PaymentOperation.objects.filter(key__in=ids).select_related("pre_order")
    by_key = {operation.key: operation for operation in operations}
    shown = []
    for pause in active:
        name, named = "", str(pause.target or "")
        if pause.target in restaurants:
            name = restaurants[pause.target].name
        elif pause.target in offers:
            name = f"{offers[pause.target].name}, {offers[pause.target].restaurant.name}"
        elif pause.target in by_key:
            found = by_key[pause.target]
            name, named = f"{found.kind} of order {found.pre_order.code}", str(found.pk)
        shown.append(ShownPause(pause, name, named))
    return shown


# --- writing --------------------------------------------------------------------------------------
@transaction.atomic
def pause_settlement(
    *,
    target: Target,
    reason: str,
    by: str,
    now: datetime,
    ends_at: datetime | None = None,
    reason_required: bool = True,
) -> SettlementPause:
    """Pause; repeating it changes nothing and returns the pause that there is.

    `by` is the person's name, empty for the program. Raises Invalid without a reason.
    """
    words = " ".join(reason.split())
    if len(words) > REASON_LENGTH or (reason_required and not words):
        raise Invalid.because([FieldError("reason", REASON_NEEDED)])
    _end_what_is_over(now)
    pause, created = SettlementPause.objects.get_or_create(
        scope=target.scope,
        target=target.id,
        ended_at=None,
        defaults={
            "reason": words,
            "started_at": now,
            "started_by": by[:ACTOR_LENGTH],
            "ends_at": ends_at,
        },
    )
    if created:
        kind = (
            Kind.SCHEDULER_STOPPED
            if target.scope == PauseScope.SCHEDULER
            else Kind.SETTLEMENT_PAUSED
        )
        _log(kind, pause, target, now)
    return pause


@transaction.atomic
def end_pause(*, target: Target, by: str, now: datetime) -> bool:
    """End the pause of exactly this target; False if there is none.

    What it held back is found by the sweeps; `interventions.continue_settlement` queues it at once.
    """
    pause = (
        SettlementPause.objects.select_for_update()
        .filter(scope=target.scope, target=target.id, ended_at=None)
        .first()
    )
    if pause is None or not pause.is_active(now):
        return False
    pause.ended_at, pause.ended_by = now, by[:ACTOR_LENGTH]
    pause.save(update_fields=["ended_at", "ended_by"])
    if target.scope != PauseScope.SCHEDULER:  # starting it is logged with its interval
        _log(Kind.SETTLEMENT_CONTINUED, pause, target, now)
    return True


def _end_what_is_over(now: datetime) -> None:
    SettlementPause.objects.filter(ended_at=None, ends_at__lte=now).update(ended_at=F("ends_at"))


def _log(kind: Kind, pause: SettlementPause, target: Target, now: datetime) -> None:
    record(
        kind,
        restaurant=target.restaurant_id,
        about=("special", target.id) if target.scope == PauseScope.SPECIAL else ("pause", pause.pk),
        scope=str(target.scope),
        now=now,
    )
