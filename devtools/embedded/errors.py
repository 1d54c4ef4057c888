"""Errors of the embedded services."""


class EmbeddedError(Exception):
    """A service couldn't be started or stopped. The message is shown as is."""
