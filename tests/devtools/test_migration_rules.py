"""What a migration can do while the version before it still runs."""

from typing import Any

import pytest
from django.contrib.postgres.operations import (
    AddConstraintNotValid,
    AddIndexConcurrently,
    ValidateConstraint,
)
from django.db import migrations, models
from django.db.migrations.state import ModelState, ProjectState

from devtools import migration_rules
from devtools.migration_rules import problems_of, unreviewed


def before():
    """A table `shop_order` that is in use."""
    fields: list[Any] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("code", models.CharField(max_length=10)),
        ("note", models.TextField(null=True)),
        ("amount", models.DecimalField(max_digits=10, decimal_places=2)),
    ]
    state = ProjectState()
    state.add_model(ModelState("shop", "order", fields))
    return state


def migration(*operations, **attributes):
    made: Any = migrations.Migration("0002_next", "shop")
    made.operations = list(operations)
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def problems(*operations):
    return [name for name, _ in problems_of(migration(*operations), before())]


SMALL = models.Q(amount__lt=100)
CHECK = models.CheckConstraint(condition=SMALL, name="small")
INDEX = models.Index(fields=["code"], name="by_code")


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("order", "tip", models.IntegerField(null=True)),
        migrations.AddField("order", "tip", models.IntegerField(db_default=0)),
        migrations.AlterField("order", "code", models.CharField(max_length=20)),
        migrations.AlterField("order", "code", models.CharField(max_length=10, null=True)),
        migrations.AlterField("order", "code", models.CharField(max_length=10, help_text="a")),
        migrations.AlterField("order", "code", models.TextField()),
        AddIndexConcurrently("order", INDEX),
        AddConstraintNotValid("order", CHECK),
        ValidateConstraint("order", "small"),
        migrations.RunPython(lambda apps, editor: None),
        migrations.CreateModel("guest", [("id", models.BigAutoField(primary_key=True))]),
    ],
    ids=lambda operation: operation.describe(),
)
def test_what_the_running_version_does_not_notice_is_allowed(operation):
    assert problems(operation) == []


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        (migrations.RemoveField("order", "note"), "RemoveField order.note"),
        (migrations.DeleteModel("Order"), "DeleteModel order"),
        (migrations.RenameField("order", "note", "remark"), "RenameField order.note"),
        (migrations.AlterModelTable("order", "orders"), "AlterModelTable order"),
        (
            migrations.AddField("order", "tip", models.IntegerField(default=0)),
            "AddField order.tip",
        ),
        (
            migrations.AddField("order", "key", models.UUIDField(null=True, unique=True)),
            "AddField order.key",
        ),
        (migrations.AlterField("order", "note", models.TextField()), "AlterField order.note"),
        (
            migrations.AlterField("order", "code", models.CharField(max_length=5)),
            "AlterField order.code",
        ),
        (migrations.AlterField("order", "code", models.IntegerField()), "AlterField order.code"),
        (
            migrations.AlterField("order", "code", models.CharField(max_length=10, unique=True)),
            "AlterField order.code",
        ),
        (
            migrations.AlterField("order", "code", models.CharField(max_length=10, db_index=True)),
            "AlterField order.code",
        ),
        (migrations.AddIndex("order", INDEX), "AddIndex order"),
        (migrations.RemoveIndex("order", "by_code"), "RemoveIndex order.by_code"),
        (migrations.AddConstraint("order", CHECK), "AddConstraint order"),
        (
            migrations.AddConstraint(
                "order", models.UniqueConstraint(fields=["code"], name="one_code")
            ),
            "AddConstraint order",
        ),
        (migrations.RunSQL("UPDATE shop_order SET note = ''"), "RunSQL"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_breaks_or_stops_the_running_version_is_refused(operation, name):
    assert problems(operation) == [name]


def test_rows_are_changed_in_a_migration_of_their_own():
    adding = migrations.AddField("order", "tip", models.IntegerField(null=True))
    filling = migrations.RunPython(lambda apps, editor: None)
    assert problems(adding, filling) == ["RunPython"]


def test_a_table_that_nobody_uses_yet_is_free():
    create = migrations.CreateModel(
        "guest", [("id", models.BigAutoField(primary_key=True)), ("name", models.TextField())]
    )
    assert (
        problems(
            create,
            migrations.AddField("guest", "email", models.TextField(default="")),
            migrations.AddIndex("guest", models.Index(fields=["name"], name="by_name")),
            migrations.RunSQL("ALTER TABLE shop_guest ENABLE ROW LEVEL SECURITY"),
        )
        == []
    )


def test_what_is_reviewed_passes_with_its_reason_and_not_without():
    remove = migrations.RemoveField("order", "note")
    reason = {"RemoveField order.note": "nothing has used it since 1.4"}
    assert unreviewed(migration(remove, reviewed=reason), before()) == []
    assert (
        len(unreviewed(migration(remove, reviewed={"RemoveField order.note": " "}), before())) == 1
    )
    assert unreviewed(migration(reviewed=reason), before()) == [
        "RemoveField order.note: is reviewed, but needs no review"
    ]


def test_our_own_migrations_obey(capsys):
    assert migration_rules.main() == 0
    assert capsys.readouterr().out == ""
