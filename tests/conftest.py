"""What every test can use: a database per worker, a stopped clock, a cast of people, and their
clients."""

import gc
import itertools
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import django.test.client
import pytest
from allauth.account.models import EmailAddress
from celery import Task
from django.conf import settings
from django.core.cache import caches
from django.test import TransactionTestCase, override_settings

from apps.accounts.models import User
from apps.billing.models import ConnectAccount
from apps.common import clock as our_clock
from apps.common import rls
from apps.common.message_catalogs import compile_catalogs
from apps.offers.models import SpecialOffer
from apps.restaurants.models import Domain, Membership, Restaurant
from devtools.testing import browser_executable
from tests import database
from tests.client import Visitors
from tests.factories import (
    AuthenticatorFactory,
    ConnectAccountFactory,
    DishFactory,
    DomainFactory,
    EmailAddressFactory,
    MembershipFactory,
    RestaurantFactory,
    SpecialOfferFactory,
    StaffFactory,
    UserFactory,
)
from tests.scheduling import BrowserLanes, EveryTestIsRun
from tests.stripe_fixtures import stripe, stripe_process, world
from tests.tasks import TaskQueue

__all__ = ["stripe", "stripe_process", "world"]

# A Monday noon in New York, far from midnight, from the end of a month, and from a clock change.
NOON = datetime(2027, 3, 22, 16, 0, tzinfo=UTC)
_test_numbers = itertools.count(1)
# Each query and each request leaves reference cycles of a few thousand objects. By default Python
# looks for cycles after every 700 objects.
GC_THRESHOLDS = 20_000, 10, 10


def pytest_configure(config: pytest.Config) -> None:
    """Compile the translations, for a pytest that is started by itself."""
    gc.disable()  # until everything is collected, because imported modules stay
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(EveryTestIsRun())
    compile_catalogs(Path(settings.BASE_DIR) / "locale")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Make Python's garbage collector skip the program and the collected tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> BrowserLanes:
    return BrowserLanes(config, log)


@pytest.fixture(scope="session")
def worker_name() -> str:
    """The name of this worker of the run; a name of its own for pytest without workers."""
    return os.environ.get("PYTEST_XDIST_WORKER", f"alone{os.getpid()}")


@pytest.fixture(scope="session")
def browser_program() -> str:
    """The path of a browser, looked for only when a test uses one."""
    return browser_executable()


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: Any, worker_name: str
) -> Iterator[None]:
    """Each worker's own copy of the one migrated database."""
    own_copy = database.copy_for(worker_name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda test: database.empty())
        # Django's client copies every context of every template; no test looks at them.
        patch.setattr(django.test.client, "store_rendered_templates", lambda *_, **__: None)
        database.keep_prepared_statements(patch)
        with django_db_blocker.unblock():
            own_copy.__enter__()
        yield
        with django_db_blocker.unblock():
            own_copy.__exit__(None, None, None)


@pytest.fixture(autouse=True)
def _own_cache(worker_name: str) -> None:
    """Keep each test from seeing what another test, or another program, stores in the same
    cache."""
    prefix = f"test-{os.getpid()}-{worker_name}-{next(_test_numbers)}"
    caches.settings["default"]["KEY_PREFIX"] = prefix  # of threads the test starts
    caches["default"].key_prefix = prefix


@pytest.fixture(scope="session", autouse=True)
def _own_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Images and emails go to a folder of the run."""
    folder = tmp_path_factory.getbasetemp()
    static = folder / "static"
    static.mkdir(exist_ok=True)  # whitenoise expects it to exist
    with override_settings(DATA_DIR=folder, MEDIA_ROOT=folder / "media", STATIC_ROOT=static):
        yield


@pytest.fixture(autouse=True)
def run_tasks(monkeypatch: pytest.MonkeyPatch) -> TaskQueue:
    """Tasks that the test queues wait; `run_tasks()` runs them as a worker would."""
    queue = TaskQueue()
    monkeypatch.setattr(
        Task, "apply_async", lambda task, *args, **options: queue.add(task, *args, **options)
    )
    return queue


class Clock:
    """The time for the code under test; it moves only when told to."""

    def __init__(self, stack: ExitStack, moment: datetime) -> None:
        self._stack = stack
        self.set(moment)

    @property
    def now(self) -> datetime:
        return our_clock.now()

    def set(self, moment: datetime) -> datetime:
        self._stack.enter_context(our_clock.stopped_at(moment))
        return self.now

    def advance(self, **parts: float) -> datetime:
        """`clock.advance(hours=2)`"""
        return self.set(self.now + timedelta(**parts))


@pytest.fixture
def clock() -> Iterator[Clock]:
    """Stopped at `NOON`."""
    with ExitStack() as stack:
        yield Clock(stack, NOON)


@pytest.fixture
def platform() -> Iterator[None]:
    """Let the test itself read and write every restaurant's rows. Requests act as usual."""
    with rls.acting_as(rls.PLATFORM):
        yield


@pytest.fixture
def api() -> Visitors:
    """Makes clients: `api()` is anonymous, `api(cast.owner)` is signed in, `at=` names the
    restaurant whose host it uses."""
    return Visitors()


@dataclass(frozen=True)
class Cast:
    """The people of a test: `outsider` owns `other`, and `stranger` belongs to neither
    restaurant."""

    owner: User
    restaurant: Restaurant
    outsider: User
    other: Restaurant
    manager: User
    kitchen: User
    staff: User
    stranger: User


@pytest.fixture
def cast(db: None) -> Cast:
    """Two restaurants in two zones with their people, the platform's staff, and a guest.

    The rows are those of the factories, but made in one statement per table, because most tests
    begin with them.
    """
    restaurant = RestaurantFactory.build(name="Luigi's", subdomain="luigis")
    other = RestaurantFactory.build(
        name="Ming's", subdomain="mings", timezone="America/Los_Angeles"
    )
    restaurants = [restaurant, other]
    memberships = [
        _membership(restaurant, Membership.Role.OWNER),
        _membership(other, Membership.Role.OWNER),
        _membership(restaurant, Membership.Role.MANAGER),
        _membership(restaurant, Membership.Role.KITCHEN),
    ]
    staff = StaffFactory.build(email="staff@platform.test")
    stranger = UserFactory.build(email="stranger@example.test")
    owner, outsider, manager, kitchen = (each.user for each in memberships)
    people = [owner, outsider, manager, kitchen, staff, stranger]
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.bulk_create(restaurants)
        Domain.objects.bulk_create([DomainFactory.build(tenant=each) for each in restaurants])
        ConnectAccount.objects.bulk_create(
            [ConnectAccountFactory.build(restaurant=each) for each in restaurants]
        )
        User.objects.bulk_create(people)
        EmailAddress.objects.bulk_create([EmailAddressFactory.build(user=each) for each in people])
        AuthenticatorFactory(user=staff)
        Membership.objects.bulk_create(memberships)
    return Cast(owner, restaurant, outsider, other, manager, kitchen, staff, stranger)


def _membership(of: Restaurant, role: Membership.Role) -> Membership:
    person = UserFactory.build(email=f"{role}@{of.subdomain}.test", name=f"{role.title()} of {of}")
    return MembershipFactory.build(user=person, restaurant=of, role=role)


@pytest.fixture
def special(cast: Cast) -> SpecialOffer:
    """12 portions needed, 8 ordered, due on Tuesday at 6 PM in New York."""
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Osso buco",
        min_preorders=12,
        ordered_portions=8,
        reserved_portions=8,
        deadline=NOON + timedelta(days=1, hours=6),
        has_alternative=True,
        alternative_dish=DishFactory(restaurant=cast.restaurant, name="Penne al forno"),
    )


@pytest.fixture
def guest(cast: Cast, api: Any) -> Any:
    """A client without an account, at the restaurant's host."""
    return api(at=cast.restaurant)
