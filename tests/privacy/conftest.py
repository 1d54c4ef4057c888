from tests.faults.conftest import webhooks, world

__all__ = ["webhooks", "world"]
