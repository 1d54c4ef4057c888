"""The database's part of a start: migrations, Stripe's webhook, demo data."""

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
    "Stripe cannot reach this machine, so it cannot tell us about payments. Give it a way in and "
    "set STRIPE_WEBHOOK_BASE to it, or unset STRIPE_SECRET_KEY to use the local Stripe."
)


def migrations_digest() -> str:
    """Changes with any migration of ours and with the packages, which bring their own."""
    return digest(
        [
            ROOT / "requirements.txt",
            ROOT / "config" / "settings",
            ROOT / "apps" / "common" / "management",
            *sorted(ROOT.glob("apps/*/*migrations")),
        ]
    )


class Preparation:
    """What has to happen to a database before, or while, the application starts.

    The mark of what it was migrated with is kept in the database itself, so a new or restored one
    is migrated whatever happened before. A database that is not ours is always asked.
    """

    def __init__(self, plan: Plan, env: dict[str, str], administer: Callable[[str], str]) -> None:
        self.plan = plan
        self.env = env
        self.administer = administer
        self.mark = MARK + migrations_digest()
        present = administer(READ_MARK) if plan.own_database else ""
        self.is_new = plan.own_database and not present
        # Until it is done the tables may not be there, or not be as the code wants them.
        self.changes_tables = present != self.mark

    def carry_out(self) -> None:
        """Migrate if need be, tell Stripe where we are, provide the demo; safe to repeat."""
        steps = ["migrate"] if self.changes_tables else []
        if self.plan.own_stripe or "STRIPE_WEBHOOK_BASE" in self.env:
            steps.append("connect_stripe")
        else:
            say(STRIPE_CANNOT_REACH_US)
        if self.plan.with_demo:
            steps.append("load_demo")
        how_long = ", which takes a minute the first time" if self.is_new else ""
        with step(f"Preparing the database{how_long}"):
            run_quietly(
                [str(PYTHON), "-m", "devtools.prepare", *steps],
                "The database could not be prepared: see above.",
                self.env,
            )
            if self.plan.own_database and self.changes_tables:
                self.administer(f"COMMENT ON DATABASE fully_booked IS '{self.mark}'")
