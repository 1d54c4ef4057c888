"""What happens to a guest's card, in words: the one text for every page, button, email, the cart
and the payment provider's page.

The sentences follow the order of events: no charge today, when the charge comes and on what
condition, what happens otherwise. They are written in the active language, with moments in the
restaurant's time zone. A met minimum is no guarantee, since guests may cancel until the deadline;
so the condition is still said then.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.common import formats
from apps.offers.models import SpecialOffer
from apps.offers.seats import is_on, ordered_words


@dataclass(frozen=True, slots=True)
class Instead:
    """The dish a guest gets if the minimum is missed. `total` is what it costs them, formatted;
    empty while they have not chosen yet."""

    dish: str
    total: str = ""


def card_terms(
    offer: SpecialOffer,
    now: datetime,
    *,
    instead: Instead | None = None,
) -> str:
    """Everything a guest must know before giving a card for `offer`, which is not decided yet.

    `No charge today. We'll charge your card on Tue, Nov 24, 6:00 PM EST if 12 portions are ordered.
    If not, you pay nothing. You can change or cancel for free until then.`
    """
    return _terms(no_charge(offer, now), offer, now, instead)


def terms_if_ordered(offer: SpecialOffer, now: datetime, *, instead: Instead | None = None) -> str:
    """The same for a reader who isn't ordering yet, who would take it for a charge to come.

    `If you order, your bank holds the total, and nothing is charged yet. We'll charge your card …`
    """
    opening = _("If you order, your bank holds the total, and nothing is charged yet.")
    return _terms(opening, offer, now, instead)


def _terms(opening: str, offer: SpecialOffer, now: datetime, instead: Instead | None) -> str:
    sentences = [opening, charge_condition(offer, now), otherwise(offer, instead)]
    if now < offer.deadline:
        sentences.append(_("You can change or cancel for free until then."))
    return " ".join(sentence for sentence in sentences if sentence)


def brief_card_terms(
    offer: SpecialOffer, now: datetime, *, total: str, instead: Instead | None = None
) -> str:
    """When the card is charged for one of several specials that a guest has ordered, and how much,
    below its `Seats.sentence`, which says how close it is to being on, and what
    `several_card_terms` says of all of them: no charge today, and none for what isn't cooked.
    `total` is formatted.

    `We'll charge $25.92 on Tue, Nov 24, 6:00 PM EST if 12 portions are ordered.`
    `We'll charge $25.92 on Tue, Nov 24, 6:00 PM EST. If cancellations bring it below 12 portions,
    you pay nothing.`
    """
    facts = {
        "total": total,
        "deadline": formats.moment(offer.deadline, offer.restaurant.zone),
        "portions": formats.portions(offer.min_preorders),
    }
    if now >= offer.deadline:
        when = charge_condition(offer, now)
    elif is_on(offer):
        when = _("We'll charge %(total)s on %(deadline)s.") % facts
    else:
        text = ngettext(
            "We'll charge %(total)s on %(deadline)s if %(portions)s is ordered.",
            "We'll charge %(total)s on %(deadline)s if %(portions)s are ordered.",
            offer.min_preorders,
        )
        when = text % facts
    can_be_canceled = _is_met(offer) and now < offer.deadline
    sentences = [when, otherwise(offer, instead) if instead or can_be_canceled else ""]
    return " ".join(sentence for sentence in sentences if sentence)


def charge_in_brief(offer: SpecialOffer, instead: Instead | None = None, *, own: int = 0) -> str:
    """The same in a few words, without the sum, before the deadline, for a guest in whose checkout
    `own` portions are.

    `Charged Tue, Nov 24, 6:00 PM EST if it's on`, `if it's still on` once the minimum is met, also
    by these portions, and without a condition if it can't be missed.
    `Charged Tue, Nov 24, 6:00 PM EST if it's on. If not: Penne al forno instead, for $17.28 with
    tax`
    """
    deadline = formats.moment(offer.deadline, offer.restaurant.zone)
    is_met = offer.ordered_portions + own >= offer.min_preorders
    if offer.goes_ahead or (is_met and _is_met_by_one(offer)):
        return _("Charged %s") % deadline
    text = _("Charged %s if it's still on") if is_met else _("Charged %s if it's on")
    if instead is None:
        return text % deadline
    if offer.restaurant.tax_rate:
        other = _("If not: %(dish)s instead, for %(total)s with tax")
    else:
        other = _("If not: %(dish)s instead, for %(total)s")
    return f"{text % deadline}. {other % {'dish': instead.dish, 'total': instead.total}}"


def several_card_terms(offers: Iterable[SpecialOffer], now: datetime) -> str:
    """What a guest must know before giving one card for several specials; each has its own
    `card_terms`, to be shown beside it."""
    first = min(offers, key=lambda offer: offer.deadline)
    return f"{no_charge(first, now)} " + _(
        "You'll pay only for what's cooked, and can cancel each for free until it's charged."
    )


# Shown with a link to the terms wherever a guest orders, and stored with the order.
AGREES_TO_TERMS = gettext_lazy("By ordering, you agree to the terms of service.")


@dataclass(frozen=True, slots=True)
class CardStep:
    """A row of `card_steps`. `only_when` is `short` or `met` where it says something else once the
    minimum is met: the page has both, and its script shows the one that `is_now` true. `outcome`
    is `nothing` or `instead` where it depends on the guest's choice: the style sheet shows one."""

    icon: str
    text: SafeString
    only_when: str = ""
    is_now: bool = True
    outcome: str = ""


def card_steps(
    offer: SpecialOffer,
    now: datetime,
    *,
    total: str,
    quantity: int = 1,
    alternative: Instead | None = None,
) -> list[CardStep]:
    """What `card_terms` says to a guest who orders `quantity` portions now, as rows of the order
    form, which the page's script keeps current. `total` is formatted; `alternative` is what the
    guest may choose instead.

    `Today: $25.92 held, not charged`
    `Tue, Nov 24, 6:00 PM EST: charged if 12 portions are ordered (8 with yours)`
    `Fewer than 12: you pay nothing`
    `Fewer than 12: you get Penne al forno instead and pay $17.28`
    `Before the deadline: change or cancel for free`
    """
    if _is_before_the_day(offer, now):
        held = _("Today: %(total)s held, not charged")
    else:
        held = _("Now: %(total)s held, not charged yet")
    facts = {
        "deadline": capfirst(formats.moment(offer.deadline, offer.restaurant.zone)),
        "portions": formats.portions(offer.min_preorders),
        "minimum": f"{offer.min_preorders:,}",
        "dish": alternative.dish if alternative else "",
        "instead": format_html(
            "<span data-alternative>{}</span>", alternative.total if alternative else ""
        ),
        "total": format_html("<span data-total>{}</span>", total),
        "with_yours": format_html(
            "<span data-count-with-yours>{}</span>", f"{offer.ordered_portions + quantity:,}"
        ),
        "ordered": format_html(
            "<span data-ordered>{}</span>",
            ordered_words(offer.ordered_portions, offer.min_preorders),
        ),
    }
    rows = [("lock", held, "", "")]
    if offer.goes_ahead:
        rows.append(("clock", _("%(deadline)s: charged. It's on"), "", ""))
    else:
        short = ngettext(
            "%(deadline)s: charged if %(portions)s is ordered (%(with_yours)s with yours)",
            "%(deadline)s: charged if %(portions)s are ordered (%(with_yours)s with yours)",
            offer.min_preorders,
        )
        met = _("%(deadline)s: charged. It's on (%(ordered)s)")
        missed = _("Fewer than %(minimum)s: you pay nothing")
        canceled = _("If cancellations bring it below %(minimum)s: you pay nothing")
        rows += [("clock", short, "short", ""), ("clock", met, "met", "")]
        nothing = "nothing" if alternative else ""
        can_miss = not _is_met_by_one(offer)
        rows.append(("ban", missed, "short", nothing))
        if can_miss:
            rows.append(("ban", canceled, "met", nothing))
        if alternative:
            missed = _("Fewer than %(minimum)s: you get %(dish)s instead and pay %(instead)s")
            canceled = _(
                "If cancellations bring it below %(minimum)s: you get %(dish)s instead and pay "
                "%(instead)s"
            )
            rows.append(("swap", missed, "short", "instead"))
            if can_miss:
                rows.append(("swap", canceled, "met", "instead"))
    rows.append(("check", _("Before the deadline: change or cancel for free"), "", ""))
    state = "met" if _is_met(offer) else "short"
    return [
        CardStep(icon, _markup(text, facts), when, when in ("", state), outcome)
        for icon, text, when, outcome in rows
    ]


def early_charge_terms(
    offer: SpecialOffer, now: datetime, *, charged: str, instead: Instead | None = None
) -> str:
    """What happens to a card that was charged before `offer` is decided, because its hold would
    have ended (DECISIONS X12). `charged` is the sum, formatted.

    `We charged your card $25.92 already, because your bank's hold would have ended before the
    deadline. If fewer than 12 portions are ordered by Tue, Nov 24, 6:00 PM EST, we'll refund all of
    it. You can cancel until then and get a full refund.`
    """
    facts = {
        "charged": charged,
        "deadline": formats.moment(offer.deadline, offer.restaurant.zone),
        "portions": formats.portions(offer.min_preorders),
    }
    if instead:
        facts |= {"dish": instead.dish, "total": instead.total}
    sentences = [
        _(
            "We charged your card %(charged)s already, because your bank's hold would have ended "
            "before the deadline."
        )
    ]
    if not offer.goes_ahead:
        sentences.append(_refunds(offer, instead))
    if now < offer.deadline:
        sentences.append(
            _("You can cancel until %(deadline)s and get a full refund.")
            if offer.goes_ahead
            else _("You can cancel until then and get a full refund.")
        )
    return " ".join(sentences) % facts


def _refunds(offer: SpecialOffer, instead: Instead | None) -> str:
    """What happens to a charged card if the minimum is missed; the facts are filled in later."""
    if instead is None:
        return ngettext(
            "If fewer than %(portions)s is ordered by %(deadline)s, we'll refund all of it.",
            "If fewer than %(portions)s are ordered by %(deadline)s, we'll refund all of it.",
            offer.min_preorders,
        )
    return ngettext(
        "If fewer than %(portions)s is ordered by %(deadline)s, you'll get %(dish)s "
        "instead for %(total)s, and we'll refund the rest.",
        "If fewer than %(portions)s are ordered by %(deadline)s, you'll get %(dish)s "
        "instead for %(total)s, and we'll refund the rest.",
        offer.min_preorders,
    )


def charge_condition(offer: SpecialOffer, now: datetime) -> str:
    """When the card is charged, and on what condition."""
    facts = {
        "deadline": formats.moment(offer.deadline, offer.restaurant.zone),
        "portions": formats.portions(offer.min_preorders),
    }
    is_late = now >= offer.deadline
    if offer.goes_ahead:
        if is_late:
            return _("It's on, so we'll charge your card in the next few minutes.")
        return _("It's on, so we'll charge your card on %(deadline)s.") % facts
    if is_late:
        text = ngettext(
            "We're counting the orders now and will charge your card if %(portions)s is ordered.",
            "We're counting the orders now and will charge your card if %(portions)s are ordered.",
            offer.min_preorders,
        )
        return text % facts
    if _is_met(offer):
        text = ngettext(
            "It's on: %(portions)s is ordered, so we'll charge your card on %(deadline)s.",
            "It's on: %(portions)s are ordered, so we'll charge your card on %(deadline)s.",
            offer.ordered_portions,
        )
        return text % {**facts, "portions": formats.portions(offer.ordered_portions)}
    text = ngettext(
        "We'll charge your card on %(deadline)s if %(portions)s is ordered.",
        "We'll charge your card on %(deadline)s if %(portions)s are ordered.",
        offer.min_preorders,
    )
    return text % facts


def _markup(text: str, facts: dict[str, str]) -> SafeString:
    """`text`, which is ours, with the facts escaped."""
    return mark_safe(text % {name: conditional_escape(fact) for name, fact in facts.items()})


def _is_met(offer: SpecialOffer) -> bool:
    return offer.ordered_portions >= offer.min_preorders


def _is_met_by_one(offer: SpecialOffer) -> bool:
    """Whether a guest's own order meets the minimum: others' cancellations can't miss it then."""
    return offer.min_preorders <= 1


def no_charge(offer: SpecialOffer, now: datetime) -> str:
    return _("No charge today.") if _is_before_the_day(offer, now) else _("No charge yet.")


def split_opening(terms: str) -> tuple[str, str]:
    """`No charge today.` and what follows it; the first is empty for a text without it."""
    for opening in (_("No charge today."), _("No charge yet.")):
        if terms.startswith(opening):
            return opening, terms.removeprefix(opening)
    return "", terms


def _is_before_the_day(offer: SpecialOffer, now: datetime) -> bool:
    """`today` is true only then: on the day of the deadline the charge may still come."""
    zone = offer.restaurant.zone
    return now.astimezone(zone).date() < offer.deadline.astimezone(zone).date()


def otherwise(offer: SpecialOffer, instead: Instead | None) -> str:
    """What happens if the minimum is missed; empty if it can't be."""
    if offer.goes_ahead or (_is_met(offer) and _is_met_by_one(offer)):
        return ""
    facts = {"portions": formats.portions(offer.min_preorders)}
    if instead:
        facts |= {"dish": instead.dish, "total": instead.total}
    if _is_met(offer):
        if instead is None:
            text = _("If cancellations bring it below %(portions)s, you pay nothing.")
        elif instead.total:
            text = _(
                "If cancellations bring it below %(portions)s, you'll get %(dish)s instead and pay "
                "%(total)s."
            )
        else:
            text = _(
                "If cancellations bring it below %(portions)s, you choose: pay nothing, or get "
                "%(dish)s instead."
            )
    elif instead is None:
        text = _("If not, you pay nothing.")
    elif instead.total:
        text = _("If not, you'll get %(dish)s instead and pay %(total)s.")
    else:
        text = _("If not, you choose: pay nothing, or get %(dish)s instead.")
    return text % facts


def choice_saved(offer: SpecialOffer, instead: Instead | None, *, is_charged: bool) -> str:
    """What a guest has just chosen for a missed minimum, and whether the card `is_charged` already.

    `Saved: if fewer than 12 portions are ordered, you get Penne al forno and pay $17.28.`
    """
    facts = {
        "deadline": formats.moment(offer.deadline, offer.restaurant.zone),
        "portions": formats.portions(offer.min_preorders),
    }
    if instead:
        facts |= {"dish": instead.dish, "total": instead.total}
    if is_charged or _is_met(offer):
        then = _refunds(offer, instead) % facts if is_charged else otherwise(offer, instead)
        return f"{_('Choice saved.')} {then}".strip()
    if instead is None:
        text = ngettext(
            "Saved: if fewer than %(portions)s is ordered, your order is canceled and you pay "
            "nothing.",
            "Saved: if fewer than %(portions)s are ordered, your order is canceled and you pay "
            "nothing.",
            offer.min_preorders,
        )
    else:
        text = ngettext(
            "Saved: if fewer than %(portions)s is ordered, you get %(dish)s and pay %(total)s.",
            "Saved: if fewer than %(portions)s are ordered, you get %(dish)s and pay %(total)s.",
            offer.min_preorders,
        )
    return text % facts
