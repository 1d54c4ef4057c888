"""A pytest plugin of `make mutants`: tests mutants in forks of one process that has imported
everything.

For each mutant it forks. The fork gives the module's functions the code that the module's file has
now, so that every importer gets the mutant, and runs the tests. Starting Python, importing the
product, and collecting its tests would take longer than most of these runs.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
import stripe
from django.db import connections

# The variable with the file descriptor that orders come from.
ORDERS = "MUTANTS_ORDERS"
# Set up before the first fork, for all forks.
SHARED_FIXTURES = {"django_db_setup", "stripe_process"}

# An object, the name of one of its attributes, and the attribute's new value.
Change = tuple[Any, str, Any]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Carry out orders instead of running the collected tests.

    An order is a module's path, names of tests, and a number of seconds. The answer is the test
    that failed, else how the fork died, else "". It is None for a mutant that can't be made in a
    fork.
    """
    items = {item.nodeid: item for item in session.items}
    _warm_up(session)
    gc.unfreeze()  # `get_objects` doesn't list frozen objects
    functions = [each for each in gc.get_objects() if type(each) is FunctionType]
    gc.freeze()
    with Connection(int(os.environ[ORDERS])) as runner:
        runner.send("ready")
        while order := runner.recv():
            path, tests, seconds = order
            try:
                changes = changes_of(path, [each for each in functions if _file_of(each) == path])
            except Exception as error:
                runner.send(f"not importable: {error!r}")
                continue
            chosen = [items[name] for name in tests]
            runner.send(_noticed_by(session, changes, chosen, seconds) if changes else None)
    return True


def _warm_up(session: pytest.Session) -> None:
    """Run one test, so that its session fixtures are set up."""
    first = max(
        session.items,
        key=lambda item: len(SHARED_FIXTURES & set(getattr(item, "fixturenames", ()))),
    )
    if _run(session, [first]):
        raise pytest.UsageError(f"{first.nodeid} fails without any mutant.")
    # Forks can't share a connection.
    connections.close_all()
    assert stripe.default_http_client is not None
    stripe.default_http_client.close()  # type: ignore[no-untyped-call]


def _run(session: pytest.Session, items: Sequence[pytest.Item]) -> str:
    """Run tests until one fails, and return its name. Session fixtures stay set up."""
    for item, following in zip(items, [*items[1:], session], strict=False):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return item.nodeid
    return ""


def _noticed_by(
    session: pytest.Session, changes: Sequence[Change], items: Sequence[pytest.Item], seconds: int
) -> str:
    with tempfile.TemporaryFile() as answer:
        fork = os.fork()
        if not fork:
            try:
                signal.alarm(seconds)  # the alarm's signal ends the fork
                for changed, name, value in changes:
                    setattr(changed, name, value)
                # The fork tears down its own session fixtures, and none of its parent's.
                session._setupstate.stack[session][0].clear()
                answer.write(_run(session, items).encode())
                answer.flush()
                session._setupstate.teardown_exact(None)
            finally:
                os._exit(0)
        _, status = os.waitpid(fork, 0)
        answer.seek(0)
        return answer.read().decode() or (f"signal {status}" if status else "")


# --- what differs ---------------------------------------------------------------------------------
def changes_of(path: str, functions: Sequence[FunctionType]) -> list[Change]:
    """The changes that make the loaded module match its file: code, else constants and defaults."""
    whole = compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
    codes = {_place(code): code for code in _codes_within(whole)}
    pairs = [(each, codes.get(_place(each.__code__))) for each in functions]
    changes = [(old, "__code__", new) for old, new in pairs if new and new != old.__code__]
    return changes or _changed_values(path, functions, whole)


def _changed_values(path: str, functions: Sequence[FunctionType], whole: CodeType) -> list[Change]:
    modules = [each for each in sys.modules.values() if isinstance(each, ModuleType)]
    (module,) = (each for each in modules if getattr(each, "__file__", None) == path)
    now: dict[str, Any] = {"__name__": module.__name__}
    exec(whole, now)
    changes: list[Change] = []
    for name, old in vars(module).items():
        new = now.get(name, old)
        if name.startswith("__") or callable(old) or new == old:
            continue
        users = [each for each in modules if vars(each).get(name) is old]
        changes += [(each, name, new) for each in users]
    for new in now.values():
        for old in functions:
            if type(new) is FunctionType and _place(new.__code__) == _place(old.__code__):
                pairs = ((name, getattr(new, name)) for name in ("__defaults__", "__kwdefaults__"))
                changes += [(old, *pair) for pair in pairs if getattr(old, pair[0]) != pair[1]]
    return changes


def _file_of(function: FunctionType) -> str:
    return function.__code__.co_filename


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes_within(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes_within(each)
