"""Gunicorn's settings: its own messages as the program's lines are.

Its access log stays off, because it has the paths, and paths hold order links. The program logs
each request itself (`apps.common.request_log`).
"""

from config import env

accesslog = None
_handler = {
    "class": "logging.StreamHandler",
    "formatter": env.choice("LOG_FORMAT", "json", ("text", "json")),
}
# https://docs.gunicorn.org/en/stable/settings.html#logconfig-dict
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{levelname} {name}: {message}", "style": "{"},
        "json": {"()": "apps.common.log_format.JsonLines"},
    },
    "handlers": {"console": _handler, "error_console": _handler},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "gunicorn.error": {"handlers": ["error_console"], "level": "INFO", "propagate": False},
    },
}
