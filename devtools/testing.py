"""The environment of pytest: the servers it needs and the settings that lead to them.

`make test` starts its own servers and sets everything before pytest starts. When pytest is run by
itself, it starts servers that keep running, so that the next run starts at once.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from .browser import find_browser
from .embedded.errors import EmbeddedError
from .embedded.services import EmbeddedServices
from .environment import (
    LOCAL_STRIPE_PUBLISHABLE_KEY,
    LOCAL_STRIPE_SECRET_KEY,
    base_environment,
)
from .paths import ENVIRONMENT, data_directory

BROWSER = "CHROMIUM_EXECUTABLE"
PREPARED = "TEST_ENVIRONMENT"
STORED_SERVERS = "pytest"  # in the data directory

# A server that is collected as garbage would be warned about as still running.
_started: list[EmbeddedServices] = []


def services_of_tests(env: dict[str, str], data: Path) -> EmbeddedServices:
    """The servers that `env` doesn't name, with their data below `data`: fast, but lost in a power
    failure."""
    return EmbeddedServices(
        ENVIRONMENT,
        data,
        throwaway=True,
        with_postgres="DATABASE_URL" not in env,
        with_valkey="REDIS_URL" not in env,
    )


def settings_of_tests(data: Path) -> dict[str, str]:
    """The variables that don't depend on the servers. Real keys in the environment are not used, so
    that tests can't spend money; nor is the port of the program that a person runs, because tests
    compare whole addresses."""
    return {
        PREPARED: "1",
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "DATA_DIR": str(data / "files"),
        "PORT": "8000",
        "PUBLIC_PORT": "8000",
        "STRIPE_SECRET_KEY": LOCAL_STRIPE_SECRET_KEY,
        "STRIPE_PUBLISHABLE_KEY": LOCAL_STRIPE_PUBLISHABLE_KEY,
    }


def provide_environment() -> None:
    """Complete this process's environment, starting or reusing servers where none are given."""
    if PREPARED in os.environ:
        return
    env = base_environment()
    sys.dont_write_bytecode = False
    data = data_directory() / STORED_SERVERS
    try:
        services = services_of_tests(env, data)
        _started.append(services)
        addresses = services.start()
    except EmbeddedError as problem:
        sys.exit(f"{problem}\nThe tests need PostgreSQL and Valkey: run `make install` first.")
    env = {"SECRET_KEY": "tests-only"} | env | addresses | settings_of_tests(data)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.update(env)


@cache
def browser_executable() -> str:
    """The browser of the browser tests, looked for by the first test that wants one."""
    return os.environ.get(BROWSER) or find_browser()
