"""The sentences about a guest's card, in every case: readers must be able to rely on them."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.html import strip_tags

from apps.offers.card_terms import (
    Instead,
    brief_card_terms,
    card_steps,
    card_terms,
    charge_in_brief,
    terms_if_ordered,
)
from tests.conftest import NOON
from tests.factories import RestaurantFactory, SpecialOfferFactory

PENNE = Instead("Penne al forno", "$15.00")


def offer_with(**facts: Any) -> Any:
    return SpecialOfferFactory.build(
        **{
            "restaurant": RestaurantFactory.build(timezone="America/New_York"),
            "min_preorders": 12,
            "ordered_portions": 0,
            "deadline": NOON + timedelta(days=1, hours=6),
            **facts,
        }
    )


@pytest.mark.parametrize(
    ("facts", "instead", "says"),
    [
        (
            {},
            None,
            "No charge today. We'll charge your card on Tue, Mar 23, 6:00 PM EDT if 12 portions "
            "are ordered. If not, you pay nothing. "
            "You can change or cancel for free until then.",
        ),
        (
            {"min_preorders": 1},
            None,
            "No charge today. We'll charge your card on Tue, Mar 23, 6:00 PM EDT if 1 portion is "
            "ordered. If not, you pay nothing. "
            "You can change or cancel for free until then.",
        ),
        (
            {},
            PENNE,
            "No charge today. We'll charge your card on Tue, Mar 23, 6:00 PM EDT if 12 portions "
            "are ordered. If not, you'll get Penne al forno instead and pay $15.00. "
            "You can change or cancel for free until then.",
        ),
        (
            {},
            Instead("Penne al forno"),
            "No charge today. We'll charge your card on Tue, Mar 23, 6:00 PM EDT if 12 portions "
            "are ordered. If not, you choose: pay nothing, or get Penne al forno instead. "
            "You can change or cancel for free until then.",
        ),
        (
            {"ordered_portions": 13},
            None,
            "No charge today. It's on: 13 portions are ordered, so we'll charge your card on Tue, "
            "Mar 23, 6:00 PM EDT. If cancellations bring it below 12 portions, you pay nothing. "
            "You can change or cancel for free until then.",
        ),
        (
            {"ordered_portions": 12},
            PENNE,
            "No charge today. It's on: 12 portions are ordered, so we'll charge your card on Tue, "
            "Mar 23, 6:00 PM EDT. If cancellations bring it below 12 portions, you'll get Penne al "
            "forno instead and pay $15.00. "
            "You can change or cancel for free until then.",
        ),
        (
            {"min_preorders": 1, "ordered_portions": 2},
            Instead("Penne al forno"),
            "No charge today. It's on: 2 portions are ordered, so we'll charge your card on Tue, "
            "Mar 23, 6:00 PM EDT. "
            "You can change or cancel for free until then.",
        ),
        (
            {"goes_ahead": True},
            PENNE,
            "No charge today. It's on, so we'll charge your card on Tue, Mar 23, 6:00 PM EDT. "
            "You can change or cancel for free until then.",
        ),
        (
            {"deadline": NOON + timedelta(hours=6)},
            None,
            "No charge yet. We'll charge your card on Mon, Mar 22, 6:00 PM EDT if 12 portions "
            "are ordered. If not, you pay nothing. "
            "You can change or cancel for free until then.",
        ),
        (
            {"deadline": NOON},
            None,
            "No charge yet. We're counting the orders now and will charge your card if 12 portions "
            "are ordered. If not, you pay nothing.",
        ),
        (
            {"deadline": NOON, "goes_ahead": True},
            None,
            "No charge yet. It's on, so we'll charge your card in the next few minutes.",
        ),
    ],
)
def test_card_terms_follow_the_offer(facts: Any, instead: Instead | None, says: str) -> None:
    assert card_terms(offer_with(**facts), NOON, instead=instead) == says


@pytest.mark.parametrize(
    ("facts", "instead", "says"),
    [
        (
            {"ordered_portions": 11},
            None,
            "We'll charge $25.92 on Tue, Mar 23, 6:00 PM EDT if 12 portions are ordered.",
        ),
        (
            {"min_preorders": 1, "ordered_portions": 0},
            None,
            "We'll charge $25.92 on Tue, Mar 23, 6:00 PM EDT if 1 portion is ordered.",
        ),
        (
            {"ordered_portions": 12},
            None,
            "We'll charge $25.92 on Tue, Mar 23, 6:00 PM EDT. If cancellations bring it below "
            "12 portions, you pay nothing.",
        ),
        (
            {"ordered_portions": 11},
            PENNE,
            "We'll charge $25.92 on Tue, Mar 23, 6:00 PM EDT if 12 portions are ordered. If "
            "not, you'll get Penne al forno instead and pay $15.00.",
        ),
        (
            {"ordered_portions": 13},
            PENNE,
            "We'll charge $25.92 on Tue, Mar 23, 6:00 PM EDT. If cancellations bring it below "
            "12 portions, you'll get Penne al forno instead and pay $15.00.",
        ),
        (
            {"goes_ahead": True},
            PENNE,
            "We'll charge $25.92 on Tue, Mar 23, 6:00 PM EDT.",
        ),
        (
            {"goes_ahead": True, "deadline": NOON},
            None,
            "It's on, so we'll charge your card in the next few minutes.",
        ),
        (
            {"deadline": NOON},
            None,
            "We're counting the orders now and will charge your card if 12 portions are ordered.",
        ),
    ],
)
def test_brief_card_terms_say_what_differs_between_specials(
    facts: Any, instead: Instead | None, says: str
) -> None:
    assert brief_card_terms(offer_with(**facts), NOON, total="$25.92", instead=instead) == says


@pytest.mark.parametrize(
    ("facts", "instead", "says"),
    [
        ({"ordered_portions": 11}, None, "Charged Tue, Mar 23, 6:00 PM EDT if it's on"),
        (
            {"ordered_portions": 11},
            PENNE,
            "Charged Tue, Mar 23, 6:00 PM EDT if it's on. "
            "If not: Penne al forno instead, for $15.00 with tax",
        ),
        ({"ordered_portions": 12}, None, "Charged Tue, Mar 23, 6:00 PM EDT if it's still on"),
        ({"goes_ahead": True}, None, "Charged Tue, Mar 23, 6:00 PM EDT"),
        ({"min_preorders": 1, "ordered_portions": 1}, None, "Charged Tue, Mar 23, 6:00 PM EDT"),
    ],
)
def test_a_charge_in_brief_says_on_what_condition_and_what_else_is_charged(
    facts: Any, instead: Instead | None, says: str
) -> None:
    assert charge_in_brief(offer_with(**facts), instead) == says


@pytest.mark.parametrize(
    ("minimum", "own", "says"),
    [(12, 1, " EDT if it's on"), (12, 2, " EDT if it's still on"), (1, 1, " EDT")],
)
def test_a_charge_in_brief_counts_the_portions_in_the_guests_own_checkout(
    minimum: int, own: int, says: str
) -> None:
    offer = offer_with(min_preorders=minimum, ordered_portions=max(0, minimum - 2))
    assert charge_in_brief(offer, own=own).endswith(says)


def test_a_charge_in_brief_names_no_tax_where_there_is_none() -> None:
    untaxed = RestaurantFactory.build(timezone="America/New_York", settings={"taxRate": 0})
    says = charge_in_brief(offer_with(restaurant=untaxed), PENNE)
    assert says.endswith("If not: Penne al forno instead, for $15.00")


def test_brief_card_terms_are_written_in_spanish_when_spanish_is_active() -> None:
    with translation.override("es"):
        says = brief_card_terms(
            offer_with(ordered_portions=11), NOON, total="$25.92", instead=PENNE
        )
    assert says == (
        "Cobraremos $25.92 el mar 23 mar, 6:00 p.\u00a0m. EDT si se piden 12 porciones. "
        "Si no, recibirás Penne al forno y pagarás $15.00."
    )


def test_who_has_not_ordered_reads_what_would_happen_if_they_do() -> None:
    offer = offer_with(ordered_portions=11)
    assert terms_if_ordered(offer, NOON, instead=PENNE) == (
        "If you order, your bank holds the total, and nothing is charged yet. We'll charge your "
        "card on Tue, Mar 23, 6:00 PM EDT if 12 portions are ordered. If not, you'll get Penne al "
        "forno instead and pay $15.00. You can change or cancel for free until then."
    )


def steps_of(offer: Any, alternative: Instead | None = None) -> list[str]:
    steps = card_steps(offer, NOON, total="$25.92", alternative=alternative)
    return [strip_tags(step.text) for step in steps if step.is_now]


@pytest.mark.parametrize(
    ("facts", "alternative", "says"),
    [
        (
            {"ordered_portions": 7},
            None,
            [
                "Today: $25.92 held, not charged",
                "Tue, Mar 23, 6:00 PM EDT: charged if 12 portions are ordered (8 with yours)",
                "Fewer than 12: you pay nothing",
                "Before the deadline: change or cancel for free",
            ],
        ),
        (
            {"min_preorders": 1, "deadline": NOON + timedelta(hours=6)},
            None,
            [
                "Now: $25.92 held, not charged yet",
                "Mon, Mar 22, 6:00 PM EDT: charged if 1 portion is ordered (1 with yours)",
                "Fewer than 1: you pay nothing",
                "Before the deadline: change or cancel for free",
            ],
        ),
        (
            {"ordered_portions": 7},
            PENNE,
            [
                "Today: $25.92 held, not charged",
                "Tue, Mar 23, 6:00 PM EDT: charged if 12 portions are ordered (8 with yours)",
                "Fewer than 12: you pay nothing",
                "Fewer than 12: you get Penne al forno instead and pay $15.00",
                "Before the deadline: change or cancel for free",
            ],
        ),
        (
            {"ordered_portions": 13},
            None,
            [
                "Today: $25.92 held, not charged",
                "Tue, Mar 23, 6:00 PM EDT: charged. It's on (13 ordered)",
                "If cancellations bring it below 12: you pay nothing",
                "Before the deadline: change or cancel for free",
            ],
        ),
        (
            {"ordered_portions": 12},
            PENNE,
            [
                "Today: $25.92 held, not charged",
                "Tue, Mar 23, 6:00 PM EDT: charged. It's on (12 ordered)",
                "If cancellations bring it below 12: you pay nothing",
                "If cancellations bring it below 12: you get Penne al forno instead and pay $15.00",
                "Before the deadline: change or cancel for free",
            ],
        ),
        (
            {"min_preorders": 1, "ordered_portions": 1},
            PENNE,
            [
                "Today: $25.92 held, not charged",
                "Tue, Mar 23, 6:00 PM EDT: charged. It's on (1 ordered)",
                "Before the deadline: change or cancel for free",
            ],
        ),
        (
            {"goes_ahead": True},
            None,
            [
                "Today: $25.92 held, not charged",
                "Tue, Mar 23, 6:00 PM EDT: charged. It's on",
                "Before the deadline: change or cancel for free",
            ],
        ),
    ],
)
def test_card_steps_follow_the_offer(facts: Any, alternative: Any, says: list[str]) -> None:
    assert steps_of(offer_with(**facts), alternative) == says


def test_card_steps_are_written_in_spanish_when_spanish_is_active() -> None:
    with translation.override("es"):
        assert steps_of(offer_with(ordered_portions=12)) == [
            "Hoy: retención de $25.92, sin cobro",
            "Mar 23 mar, 6:00 p.\u00a0m. EDT: se cobra. Está confirmado (12 pedidas)",
            "Si por cancelaciones quedan menos de 12: no pagas nada",
            "Antes de la fecha límite: cambia o cancela gratis",
        ]


def test_every_icon_of_the_card_steps_is_in_the_style_sheet() -> None:
    sheet = (settings.BASE_DIR / "frontend" / "src" / "styles" / "icons.css").read_text()
    steps = card_steps(offer_with(), NOON, total="$25.92", alternative=PENNE)
    icons = {step.icon for step in steps}
    assert icons == {"lock", "clock", "ban", "swap", "check"}
    assert [icon for icon in icons if f".icon-{icon} {{" not in sheet] == []


def test_card_steps_escape_the_name_of_a_dish_and_mark_what_the_script_keeps_current() -> None:
    alternative = Instead("Mac & <cheese>", "$17.28")
    held, short, met, missed, canceled, instead, canceled_instead, free = card_steps(
        offer_with(ordered_portions=7), NOON, total="$25.92", alternative=alternative
    )
    assert held.text == "Today: <span data-total>$25.92</span> held, not charged"
    assert "(<span data-count-with-yours>8</span> with yours)" in short.text
    assert "(<span data-ordered>7 of 12 ordered</span>)" in met.text
    assert instead.text == (
        "Fewer than 12: you get Mac &amp; &lt;cheese&gt; instead and pay "
        "<span data-alternative>$17.28</span>"
    )
    rows = (held, short, met, missed, canceled, instead, canceled_instead, free)
    assert [(step.icon, step.outcome, step.is_now) for step in rows] == [
        ("lock", "", True),
        ("clock", "", True),
        ("clock", "", False),
        ("ban", "nothing", True),
        ("ban", "nothing", False),
        ("swap", "instead", True),
        ("swap", "instead", False),
        ("check", "", True),
    ]


def test_card_terms_name_the_restaurants_own_time() -> None:
    there = RestaurantFactory.build(timezone="America/Los_Angeles")
    assert "Tue, Mar 23, 3:00 PM PDT" in card_terms(offer_with(restaurant=there), NOON)


@pytest.mark.parametrize(
    ("zone", "says"),
    [("America/New_York", "No charge yet."), ("Europe/Madrid", "No charge today.")],
)
def test_today_is_the_restaurants_day(zone: str, says: str) -> None:
    """Eight hours from noon it is the same day in New York, and the next one in Madrid."""
    there = RestaurantFactory.build(timezone=zone)
    deadline = NOON + timedelta(hours=8)
    assert card_terms(offer_with(restaurant=there, deadline=deadline), NOON).startswith(says)


def test_card_terms_are_written_in_spanish_when_spanish_is_active() -> None:
    with translation.override("es"):
        assert card_terms(offer_with(), NOON, instead=PENNE) == (
            "Hoy no se cobra nada. Haremos el cobro en tu tarjeta el mar 23 mar, "
            "6:00 p.\u00a0m. EDT, si se piden 12 porciones. Si no, recibirás Penne al forno y "
            "pagarás $15.00. Hasta entonces puedes cambiar o cancelar gratis."
        )
