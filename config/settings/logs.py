"""Log lines for people (`text`) or for programs (`json`, docs/operations.md).

The filter and the formatter keep order links and personal data out of them.
"""

from typing import Any

from config import env

LOG_FORMAT = env.choice("LOG_FORMAT", "text", ("text", "json"))


def log_settings(log_format: str) -> dict[str, Any]:
    """The LOGGING setting; in `text` without the lines about requests and security events."""
    own = {"level": "INFO" if log_format == "json" else "WARNING"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"without_paths": {"()": "apps.common.log_format.WithoutPaths"}},
        "formatters": {
            "text": {"format": "{levelname} {name}: {message}", "style": "{"},
            "json": {"()": "apps.common.log_format.JsonLines"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": log_format,
                "filters": ["without_paths"],
            }
        },
        "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
        "loggers": {
            "access": own,
            "security": own,
            # By default they have handlers of their own, without the filter.
            "django": {"handlers": [], "propagate": True},
            "stripe": {"level": "WARNING"},
            "fontTools": {"level": "WARNING"},
            # It warns of every HEAD request, because Django leaves dropping the body to the server.
            # https://docs.djangoproject.com/en/5.2/topics/http/decorators/
            "gunicorn.http.wsgi": {"level": "ERROR"},
        },
    }


LOGGING = log_settings(LOG_FORMAT)
