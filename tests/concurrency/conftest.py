"""Real threads on real connections, and, as the control, the same without the lock."""

import pytest

from apps.offers.models import SpecialOffer
from apps.preorders.checkout import services as checkout_services
from apps.preorders.core import locks
from apps.preorders.settlement import deadline
from tests.faults.conftest import world
from tests.preorders.fixtures import stripe, stripe_process

__all__ = ["stripe", "stripe_process", "without_locks", "world"]


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offers are read and not locked: what the lock is for can be seen to happen."""

    def read(offer_id: object) -> SpecialOffer:
        return SpecialOffer.objects.get(pk=offer_id)

    for module in (locks, checkout_services, deadline):
        monkeypatch.setattr(module, "lock_offer", read)
