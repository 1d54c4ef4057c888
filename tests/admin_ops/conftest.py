from tests.preorders.fixtures import stripe, stripe_process

__all__ = ["stripe", "stripe_process"]
from tests.preorders.fixtures import world

__all__ = ["stripe", "stripe_process", "world"]
