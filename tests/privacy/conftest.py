from tests.faults.conftest import stripe, stripe_process, webhooks, world

__all__ = ["stripe", "stripe_process", "webhooks", "world"]
