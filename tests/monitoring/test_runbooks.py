"""Each alarm has its runbook in docs/operations.md, and each runbook its alarm."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from apps.monitoring.rules import RULES

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "operations.md").read_text()
RUNBOOKS = dict(re.findall(r"^### Alarm: (\w+)\n(.*?)(?=^##)", TEXT, re.M | re.S))
PARTS = ("**Symptom.**", "**Meaning.**", "**First steps.**", "**Escalate**")


def test_alarms_and_runbooks_are_the_same():
    assert list(RUNBOOKS) == [rule.name for rule in RULES]


@pytest.mark.parametrize("name", sorted(RUNBOOKS))
def test_a_runbook_has_its_parts_in_order_and_three_steps(name):
    text = RUNBOOKS[name]
    places = [text.index(part) for part in PARTS]
    assert places == sorted(places)
    assert re.findall(r"^(\d)\. ", text, re.M) == ["1", "2", "3"]


@pytest.mark.parametrize("name", sorted(RUNBOOKS))
def test_the_commands_of_a_runbook_exist(name):
    text = " ".join(RUNBOOKS[name].split())
    assert "`" in text
    assert set(re.findall(r"manage\.py (\w+)", text)) <= set(get_commands())


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query",
    re.findall(r"`((?:SELECT|UPDATE)\b[^`]*);`", " ".join("\n".join(RUNBOOKS.values()).split())),
)
def test_the_queries_of_the_runbooks_can_be_run(query):
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {query.replace('PID', '1')}")
        assert cursor.fetchall()
