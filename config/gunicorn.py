"""Gunicorn's settings: its messages are logged in the program's format.

Its access log stays off, because it has the paths, and paths hold order links. The program logs
each request itself (`apps.common.request_log`).
"""

from pathlib import Path
from typing import Any

from apps.common.measurements import forget_measurements
from config import env
from config.settings.logs import log_settings

accesslog = None
# https://docs.gunicorn.org/en/stable/settings.html#logconfig-dict
logconfig_dict = log_settings(env.choice("LOG_FORMAT", "json", ("text", "json")))
logconfig_dict["loggers"]["gunicorn.error"] = {"level": "INFO", "propagate": True}


def on_starting(server: Any) -> None:
    """Delete the measurements of earlier workers before the first worker starts.

    https://docs.gunicorn.org/en/stable/settings.html#on-starting
    """
    forget_measurements("web", Path(env.text("DATA_DIR", ".data")).resolve() / "metrics")
