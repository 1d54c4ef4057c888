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


def migrations_digest() -> str:
    """Changes with any migration of ours and with the packages, which bring their own."""
    return digest(
        [
            ROOT / "requirements.txt",
            ROOT / "config" / "settings",
            ROOT / "apps" / "common" / "management",
            *sorted(ROOT.glob("apps/*/migrations")),
        ]
    )


def prepare_database(plan: Plan, env: dict[str, str], administer: Callable[[str], str]) -> None:
    """Migrate if anything changed since this database was migrated, and provide the demo.

    The mark is kept in the database itself, so a new or restored one is migrated whatever
    happened before. A database that is not ours is always asked.
    """
    steps = []
    wanted = migrations_digest()
    first_time = False
    if not plan.own_database:
        steps.append("migrate")
    else:
        mark = administer(READ_MARK)
        first_time = not mark
        if mark != MARK + wanted:
            steps.append("migrate")
    if plan.own_stripe or "STRIPE_WEBHOOK_BASE" in env:
        steps.append("connect_stripe")
    else:
        say(
            "Stripe cannot reach this machine, so it cannot tell us about payments. Give it a way "
            "in and set STRIPE_WEBHOOK_BASE to it, or unset STRIPE_SECRET_KEY for the local Stripe."
        )
    if plan.with_demo:
        steps.append("load_demo")
    doing = "Preparing the database" + (", a minute or so the first time" if first_time else "")
    with step(doing):
        hosts = run_quietly(
            [str(PYTHON), "-m", "devtools.prepare", *steps],
            "The database could not be prepared: see above.",
            env,
        )
        (plan.data / "restaurants.txt").write_text(hosts)
        if plan.own_database and "migrate" in steps:
            administer(f"COMMENT ON DATABASE fully_booked IS '{MARK}{wanted}'")
