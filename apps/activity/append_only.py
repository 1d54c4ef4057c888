"""The triggers that make a table append-only, as operations of a migration.

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
