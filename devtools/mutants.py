"""`make mutants`: change the code of money, carts, and roles, and list the changes that no test
notices.

For use on demand, never in CI: each mutant costs a run of the tests that execute its line,
according to coverage. cosmic-ray makes the mutants; it edits files, so it works on a copy of the
last commit in `.data/mutants`, where the report is, too. An interrupted run continues where it
stopped. After a commit that changes only tests, mutants that were noticed before aren't tested
again.
"""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from .console import CommandError, say, step
from .environment import base_environment
from .jobs import run_quietly
from .paths import ENVIRONMENT, FRONTEND_BUILD, NODE_MODULES, ROOT, TOOLS, data_directory
from .toolchain import provide_uv

PACKAGES = ("cosmic-ray==8.7.0", "coverage==7.17.3")
PROGRAM = TOOLS / "cosmic-ray" / "bin" / "cosmic-ray"
# Installed for the project's own Python, without dependencies.
COVERAGE = TOOLS / "coverage"
COVERAGE_PACKAGES = ("coverage==7.17.3", "pytest-cov==7.1.0")
PYTHON = str(ENVIRONMENT / "bin" / "python")
# For one place in the code, only the mutants that are hardest to notice are made; the tests that
# notice them would notice the others.
LEFT_OUT = (
    # `x: Foo | None` and `text % values` aren't arithmetic.
    "core/ReplaceBinaryOperator_(BitOr|Mod)_.*",
    # Kept: `+` and `-` for one another, `+` for `*`, `*` for `**`. Most sums are of moments.
    "core/ReplaceBinaryOperator_.*_(Div|FloorDiv|Mod|Pow|LShift|RShift|BitOr|BitAnd|BitXor)",
    "core/ReplaceBinaryOperator_(Add|Sub)_Mul",
    "core/ReplaceBinaryOperator_(Mul|Pow)_Sub",
    "core/ReplaceBinaryOperator_Pow_Add",
    # Kept: the opposite, and a comparison's border, such as `<=` for `<`.
    "core/ReplaceComparisonOperator_(Eq|NotEq)_(Is|IsNot|Lt|LtE|Gt|GtE)",
    "core/ReplaceComparisonOperator_(Is|IsNot)_(Eq|NotEq|Lt|LtE|Gt|GtE)",
    "core/ReplaceComparisonOperator_(Lt|LtE|Gt|GtE)_(Is|IsNot|Eq|NotEq)",
    # `not x` for `x` is made by AddNot.
    "core/ReplaceUnaryOperator_(Delete_Not|USub_Invert|USub_UAdd|USub_Not)",
)


@dataclass(frozen=True)
class Part:
    """Modules of one subject, and the tests that should notice a change in them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


def _below(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"tests/{folder}/test_{name}.py" for name in names)


# An order that begins, alone or in a cart.
_ORDERING = _below("preorders", "begin_api", "checkout_limits", "ordering_again", "reservations")
PARTS = {
    "fees": Part(
        ("apps/billing/fees.py", "apps/common/money.py"),
        (
            "tests/billing/test_fees.py",
            "tests/common/test_money.py",
            "tests/preorders/test_pricing.py",
            "tests/billing/test_ledger.py",
        ),
    ),
    "checkout": Part(
        (
            "apps/preorders/checkout/services.py",
            "apps/preorders/checkout/acceptance.py",
            "apps/preorders/checkout/payment_page.py",
            "apps/preorders/checkout/endings.py",
            "apps/preorders/settlement/checkout_expiry.py",
        ),
        (
            *_ORDERING,
            *_below("preorders", "alternative", "cart_confirmation", "checkout_endings"),
            *_below("preorders", "checkout_expiry", "new_restaurants", "order_form"),
            *_below("preorders", "payment_intents", "phone_orders", "undecided_checkouts"),
            *_below("preorders", "what_was_sold"),
            "tests/preorders/friends/test_portions.py",
            *_below("faults", "answers"),
        ),
    ),
    "cart": Part(
        (
            "apps/preorders/cart/services.py",
            "apps/preorders/cart/items.py",
            "apps/preorders/cart/intents.py",
            "apps/preorders/cart/confirmation.py",
        ),
        (
            *_ORDERING,
            *_below("preorders", "cart", "cart_access", "cart_confirmation", "cart_items"),
            *_below("preorders", "cart_offers", "cart_pages", "declined_items", "order_access"),
        ),
    ),
    "settlement": Part(
        (
            "apps/preorders/settlement/worker.py",
            "apps/preorders/settlement/steps/authorization.py",
            "apps/preorders/settlement/steps/capture.py",
            "apps/preorders/settlement/steps/checkout_link.py",
            "apps/preorders/settlement/steps/refund.py",
            "apps/preorders/settlement/steps/release.py",
            "apps/preorders/settlement/steps/renewal.py",
            "apps/preorders/settlement/deadline.py",
            "apps/preorders/settlement/payments.py",
            "apps/preorders/settlement/expiry.py",
            "apps/preorders/settlement/operations.py",
        ),
        (
            *_below("preorders", "alternative", "batch_capture", "card_terms", "cart_items"),
            *_below("preorders", "changing", "closing", "early_charge", "failed_refunds"),
            *_below("preorders", "notices", "operations", "overtaken_refunds", "partial_capture"),
            *_below("preorders", "payment_intents", "pending_refunds", "processing", "refunds"),
            *_below("preorders", "refused_captures", "refused_refunds", "rehearsal"),
            *_below("preorders", "replacing_holds", "replacing_links", "serve_date_over"),
            *_below("preorders", "settlement_limits", "settlement_pauses", "taking_turns"),
            *_below("preorders", "undecided_checkouts", "what_was_sold"),
            *_below("concurrency", "settlement_steps"),
            *_below("faults", "answers", "carts"),
        ),
    ),
    "roles": Part(
        ("apps/restaurants/permissions.py",),
        ("tests/restaurants/test_roles.py", "tests/contract/test_role_matrix.py"),
    ),
}


def run_mutants(words: list[str]) -> int:
    """Test the named parts, or all of them; prints where the survivors are listed."""
    if unknown := set(words) - set(PARTS):
        raise CommandError(f"There is no {', '.join(unknown)}. The parts are: {', '.join(PARTS)}.")
    _provide_program()
    copy = _provide_copy()
    for name in words or PARTS:
        # Named after the content of its modules, because other code has other mutants.
        session = copy.parent / f"{name}-{_digest_of(PARTS[name].modules)}.sqlite"
        try:
            _test_mutants(copy, name, session)
        finally:
            # For an interrupted run, too.
            if session.exists():
                _report(copy.parent / f"{name}-survivors.txt", session)
    return 0


def _provide_program() -> None:
    if PROGRAM.exists() and COVERAGE.exists():
        return
    uv = provide_uv()
    with step("Installing cosmic-ray"):
        home = PROGRAM.parents[1]
        failure = "cosmic-ray could not be installed."
        run_quietly(
            [uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(home)], failure
        )
        run_quietly([uv, "pip", "install", "--quiet", "--python", str(home), *PACKAGES], failure)
        target = ["--no-deps", "--target", str(COVERAGE), "--python", sys.executable]
        run_quietly([uv, "pip", "install", "--quiet", *target, *COVERAGE_PACKAGES], failure)


def _provide_copy() -> Path:
    """The last commit, with the packages and the front end of this folder."""
    copy = data_directory() / "mutants" / "code"
    if copy.exists():
        # Discards what an interrupted mutant left behind; the sessions stay.
        _git("checkout", "--quiet", "--force", "--detach", _head(), at=copy)
    else:
        copy.parent.mkdir(parents=True, exist_ok=True)
        _git("clone", "--quiet", "--no-checkout", "--shared", str(ROOT), str(copy), at=ROOT)
        _git("checkout", "--quiet", "--detach", _head(), at=copy)
    (copy / "biome.json").unlink(missing_ok=True)  # `make check` refuses a second one
    for folder in (ENVIRONMENT, NODE_MODULES, FRONTEND_BUILD):
        link = copy / folder.relative_to(ROOT)
        if folder.exists() and not link.exists():
            link.symlink_to(folder)
    return copy


def _head() -> str:
    return _git("rev-parse", "HEAD", at=ROOT)


def _digest_of(paths: Iterable[str]) -> str:
    """A digest that is the same for two commits in which these files and folders are the same."""
    contents = _git("rev-parse", *(f"HEAD:{path}" for path in paths), at=ROOT)
    return hashlib.sha256(contents.encode()).hexdigest()[:12]


def _git(*words: str, at: Path) -> str:
    done = subprocess.run(["git", *words], cwd=at, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(done.stderr)
    return done.stdout.strip()


def _test_mutants(copy: Path, name: str, session: Path) -> None:
    part = PARTS[name]
    covered = session.with_name(f"{name}-{_digest_of(('apps', 'tests'))}.coverage")
    durations = covered.with_suffix(".durations")
    if not durations.exists():
        with step(f"Running the tests of {name} as they are"):
            command = _baseline(part.modules, part.tests)
            durations.write_text(_run(command, copy, {"COVERAGE_FILE": str(covered)}))
        if session.exists():
            _forget_survivors(session)
    if not session.exists():
        config = copy.parent / f"{name}.toml"
        config.write_text(_config(part))
        _run([str(PROGRAM), "init", str(config), str(session)], copy)
        program = str(PROGRAM.with_name("cr-filter-operators"))
        _run([program, str(session), str(config)], copy)
    with step(f"Testing the mutants of {name}"):
        files = [str(each) for each in (session, covered, durations)]
        runner = [str(PROGRAM.with_name("python")), str(copy / "devtools" / "mutant_runs.py")]
        _run([*runner, *files, f"{PYTHON} -m pytest", *part.tests], copy)


def _forget_survivors(session: Path) -> None:
    """Have the survivors tested again, with the current tests. Mutants that were noticed stay
    noticed."""
    with closing(sqlite3.connect(session)) as database, database:
        database.execute("DELETE FROM work_results WHERE test_outcome = 'SURVIVED'")


def _baseline(modules: Iterable[str], tests: tuple[str, ...]) -> list[str]:
    """The command for a run of the tests that records which tests execute each line of the
    modules."""
    measured = sorted({f"--cov={Path(module).parent}" for module in modules})
    asked = ["--cov-context=test", "--cov-report=", "--durations=0", "--durations-min=0"]
    return [PYTHON, "-m", "pytest", "-q", *measured, *asked, *tests]


def _run(command: list[str], copy: Path, variables: dict[str, str] | None = None) -> str:
    """Run a command and return its output.

    Raises CommandError with it when the command fails.
    """
    env = base_environment() | {"PYTHONPATH": str(COVERAGE)} | (variables or {})
    # The copy keeps its data, and the servers of its tests, in a folder of its own.
    env.pop("DATA_DIR", None)
    if command[0] != PYTHON:
        env.pop("PYTHONPATH")
    outcome = subprocess.run(
        command, cwd=copy, env=env, capture_output=True, text=True, check=False
    )
    if outcome.returncode:
        raise CommandError(f"{outcome.stdout}{outcome.stderr}\n{command[0]} failed.")
    return outcome.stdout


def _report(target: Path, session: Path) -> None:
    reporter = str(PROGRAM.with_name("cr-report"))
    report = subprocess.run(
        [reporter, "--surviving-only", "--show-diff", str(session)],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    target.write_text(report)
    say("\n".join([*report.splitlines()[-3:], f"They are listed in {target}."]))


def _config(part: Part) -> str:
    modules = ", ".join(f'"{module}"' for module in part.modules)
    left_out = ", ".join(f'"{pattern}"' for pattern in LEFT_OUT)
    return (
        "[cosmic-ray]\n"
        f"module-path = [{modules}]\n"
        "timeout = 600\n"
        "excluded-modules = []\n"
        'test-command = "see mutant_runs.py"\n'
        "[cosmic-ray.distributor]\n"
        'name = "local"\n'
        "[cosmic-ray.filters.operators-filter]\n"
        f"exclude-operators = [{left_out}]\n"
    )
