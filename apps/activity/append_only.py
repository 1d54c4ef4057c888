"""The triggers that make tables append-only, as operations of a migration.

The owner of a table can switch its triggers off; the program's own role owns nothing
(docs/operations.md).

PostgreSQL compares `expires_at` with its own clock, so a program whose clock is wrong can't delete
early either: https://www.postgresql.org/docs/current/plpgsql-trigger.html
"""

from django.db import migrations

_ENABLE = """
CREATE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.expires_at <= clock_timestamp() THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION {table}_is_append_only();
"""
_DISABLE = """
DROP TRIGGER append_only ON {table};
DROP FUNCTION {table}_is_append_only();
"""


def append_only(table: str) -> migrations.RunSQL:
    """Refuse UPDATE, and DELETE of rows whose `expires_at` has not passed."""
    return migrations.RunSQL(_ENABLE.format(table=table), _DISABLE.format(table=table))


_REFUSE = """
CREATE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW {when} EXECUTE FUNCTION {table}_is_append_only();
"""


def never_changed(*tables: str, once: str = "") -> list[migrations.RunSQL]:
    """Refuse every UPDATE and DELETE; with `once`, a column, of rows in which it isn't null."""
    when = f"WHEN (OLD.{once} IS NOT NULL)" if once else ""
    return [
        migrations.RunSQL(_REFUSE.format(table=table, when=when), _DISABLE.format(table=table))
        for table in tables
    ]
