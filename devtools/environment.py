"""The environment variables the application's processes run with."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from .console import CommandError
from .paths import ENVIRONMENT, data_directory

# dj-stripe takes keys of at least 24 characters after their prefix for real ones only.
LOCAL_STRIPE_SECRET_KEY = "sk_test_localstripelocalstripelocal"
LOCAL_STRIPE_PUBLISHABLE_KEY = "pk_test_localstripelocalstripelocal"


def port_number(name: str, default: int) -> int:
    """A port from the environment."""
    value = os.environ.get(name, str(default))
    if not value.isdigit() or not 0 < int(value) < 65536:
        raise CommandError(f"{name} must be a port number from 1 to 65535, not {value!r}.")
    return int(value)


@dataclass(frozen=True)
class Plan:
    """Where this start keeps its data and listens, and what it brings along itself."""

    data: Path
    port: int
    stripe_port: int
    root_domain: str
    own_database: bool
    own_redis: bool
    own_stripe: bool
    with_demo: bool

    @classmethod
    def from_environment(cls) -> Plan:
        """A service that is given (DATABASE_URL, REDIS_URL, STRIPE_SECRET_KEY) is used as it is."""
        port = port_number("PORT", 8000)
        return cls(
            data=data_directory(),
            port=port,
            stripe_port=port_number("STRIPE_PORT", port + 1),
            root_domain=os.environ.get("ROOT_DOMAIN", "localhost"),
            own_database="DATABASE_URL" not in os.environ,
            own_redis="REDIS_URL" not in os.environ,
            own_stripe="STRIPE_SECRET_KEY" not in os.environ,
            with_demo=os.environ.get("DEMO", "1") not in {"0", ""},
        )

    @property
    def address(self) -> str:
        return f"http://{self.root_domain}:{self.port}"

    @property
    def stripe_address(self) -> str:
        return f"http://localhost:{self.stripe_port}"


def base_environment() -> dict[str, str]:
    """Ours, with the project's Python first and its output not held back."""
    env = dict(os.environ)
    env.pop("PYTHONHOME", None)
    # Containers often forbid Python to keep what it compiled; every process would compile all of
    # Django and of ours again, which is three fifths of its start.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    env["VIRTUAL_ENV"] = str(ENVIRONMENT)
    env["PATH"] = f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    env["PYTHONUNBUFFERED"] = "1"
    return env


def application_environment(plan: Plan, services: dict[str, str]) -> dict[str, str]:
    """What the web, worker and scheduler processes need to know; given settings win."""
    defaults = {
        "DJANGO_SETTINGS_MODULE": "config.settings.development",
        "ROOT_DOMAIN": plan.root_domain,
        "DEMO": "1" if plan.with_demo else "0",
        **services,
    }
    if plan.own_stripe:
        defaults |= {
            "STRIPE_SECRET_KEY": LOCAL_STRIPE_SECRET_KEY,
            "STRIPE_PUBLISHABLE_KEY": LOCAL_STRIPE_PUBLISHABLE_KEY,
            "STRIPE_API_BASE": plan.stripe_address,
            "STRIPE_JS_URL": f"{plan.stripe_address}/js/stripe.js",
        }
    env = defaults | base_environment()
    env["DATA_DIR"] = str(plan.data)
    env["PORT"] = str(plan.port)
    env["STRIPE_PORT"] = str(plan.stripe_port)
    if "SECRET_KEY" not in env:
        env["SECRET_KEY"] = _stored_secret(plan.data / "secret-key")
    return env


def _stored_secret(file: Path) -> str:
    """A secret of this machine's own: sessions outlive a restart, and no two machines share it."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as opened:
            opened.write(secrets.token_urlsafe(48))
    return file.read_text().strip()
