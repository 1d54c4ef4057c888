"""Prepares the database for a run: migrations, the Stripe webhook, and demo data."""

from __future__ import annotations

from collections.abc import Callable

from .console import say, step
from .environment import Plan
from .jobs import run_quietly
from .paths import PYTHON, ROOT
from .stamps import digest

MARK = "migrated "
READ_MARK = """
SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = current_database()
"""
STRIPE_CANNOT_REACH_US = (
    "Stripe can't reach this machine, so it can't send us webhooks. Make it reachable and set "
    "STRIPE_WEBHOOK_BASE to its URL, or unset STRIPE_SECRET_KEY to use local Stripe."
)


def migrations_digest() -> str:
    """A digest of our migrations and of the installed packages, which have their own."""
    return digest(
        [
            ROOT / "requirements.txt",
            ROOT / "config" / "settings",
            ROOT / "apps" / "common" / "management",
            *sorted(ROOT.glob("apps/*/*migrations")),
        ]
    )


class Preparation:
    """Prepares a database before or while the application starts.

    The digest it was migrated with is stored in the database itself, so that a new or restored
    database is always migrated. An external database (DATABASE_URL) is migrated on every start.
    """

    def __init__(self, plan: Plan, env: dict[str, str], administer: Callable[[str], str]) -> None:
        self.plan = plan
        self.env = env
        self.administer = administer
        self.mark = MARK + migrations_digest()
        present = administer(READ_MARK) if plan.own_database else ""
        self.is_new = plan.own_database and not present
        # Until then, tables may be missing or out of date.
        self.changes_tables = present != self.mark

    def carry_out(self) -> None:
        """Migrate if necessary, register the webhook, and load the demo. Safe to repeat."""
        steps = ["migrate"] if self.changes_tables else []
        if self.plan.own_stripe or "STRIPE_WEBHOOK_BASE" in self.env:
            steps.append("connect_stripe")
        else:
            say(STRIPE_CANNOT_REACH_US)
        if self.plan.with_demo:
            steps.append("load_demo")
        how_long = " (takes a minute the first time)" if self.is_new else ""
        with step(f"Preparing the database{how_long}"):
            run_quietly(
                [str(PYTHON), "-m", "devtools.prepare", *steps],
                "The database couldn't be prepared. See the errors above.",
                self.env,
            )
            if self.plan.own_database and self.changes_tables:
                self.administer(f"COMMENT ON DATABASE fully_booked IS '{self.mark}'")
