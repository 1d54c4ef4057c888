"""Real threads on real connections, and as the control the same without the lock."""

from collections.abc import Callable
from uuid import UUID

import pytest

from apps.billing import new_restaurants
from apps.offers.models import SpecialOffer
from apps.preorders.checkout import services as checkout_services
from apps.preorders.core import locks
from apps.preorders.settlement import deadline
from apps.preorders.special import rescue
from tests.faults.conftest import impatient, world
from tests.threads import Meeting

__all__ = ["impatient", "without_locks", "world"]


@pytest.fixture
def meet_before_the_lock(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Meeting]:
    """Let all threads reach the offer's lock before one of them gets it."""

    def arrange(people: int) -> Meeting:
        meeting = Meeting(people)
        for module in (locks, checkout_services, deadline, rescue):
            monkeypatch.setattr(module, "lock_offer", meeting.before(module.lock_offer))
        return meeting

    return arrange


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read offers and the restaurant's account without locking them, so that what the locks
    prevent happens."""

    def read(offer_id: UUID) -> SpecialOffer:
        return SpecialOffer.objects.get(pk=offer_id)

    for module in (locks, checkout_services, deadline):
        monkeypatch.setattr(module, "lock_offer", read)
    monkeypatch.setattr(new_restaurants, "lock_account", lambda restaurant: None)
