"""The demo is installed where the development settings say so, and never in production."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import django
django.setup()
from django.core.management import get_commands
from django.urls import Resolver404, resolve
def mailbox():
    try:
        return resolve("/_demo/mail").url_name
    except Resolver404:
        return None
print(mailbox(), get_commands().get("load_demo"))
"""


@pytest.mark.parametrize(
    ("settings_module", "demo", "answer"),
    [
        ("config.settings.development", "1", "demo-emails demo"),
        ("config.settings.development", "0", "None None"),
        ("config.settings.production", "1", "None None"),
    ],
)
def test_who_has_the_mailbox_and_the_command(settings_module: str, demo: str, answer: str) -> None:
    """In a process of its own, because settings are read once."""
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": settings_module, "DEMO": demo}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ASK],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == answer, done.stderr
