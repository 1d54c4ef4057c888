from tests.preorders.fixtures import stripe, stripe_process

__all__ = ["stripe", "stripe_process"]
