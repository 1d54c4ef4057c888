"""What goes wrong when a service is started, as sentences that say what to do."""


class EmbeddedError(Exception):
    """A service could not be started or stopped. The message is shown to the developer as is."""
