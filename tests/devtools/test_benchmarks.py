"""Benchmarks fill tables in their own ways, which a new column could break without anybody
noticing."""

from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import ledger, sweep
from tests.factories import RestaurantFactory, SpecialOfferFactory

pytestmark = pytest.mark.django_db


def scene() -> Any:
    restaurant = RestaurantFactory()
    return SimpleNamespace(
        restaurant=restaurant, specials=[SpecialOfferFactory(restaurant=restaurant)]
    )


def test_the_sweep_is_measured_on_rows_that_the_tables_accept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweep, "OFFERS", 100)

    measured = sweep.measure(scene())

    assert [figure.what for figure in measured] == [
        "closing sweep, 100 offers, 50 due",
        "closing sweep reads the partial index",
    ]


def test_the_ledger_is_measured_on_rows_that_the_tables_accept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger, "ORDERS", 10)
    monkeypatch.setattr(ledger, "ENTRIES", 40)

    measured = ledger.measure(scene())

    assert "sealing 40 ledger entries" in [figure.what for figure in measured]
