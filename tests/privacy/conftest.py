from tests.preorders.fixtures import stripe, stripe_process, world

__all__ = ["stripe", "stripe_process", "world"]
