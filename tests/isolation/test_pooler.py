"""Behind a pooler that shares connections: nobody's setting stays on a connection (design §2).

If no setting is left when a transaction is over, it doesn't matter whose transaction a pooler puts
next on the connection. So these tests look at the connection between statements, without a pooler.
"""

from uuid import uuid4

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections, transaction
from django.db.utils import DataError

from apps.common import rls
from apps.common.db.base import DatabaseWrapper
from apps.offers.models import Dish
from apps.preorders.settlement import open_checkouts
from tests.factories import DishFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def shared(settings, cast):
    """New connections share theirs with others; each restaurant has a dish."""
    with rls.acting_as(rls.PLATFORM):
        DishFactory(restaurant=cast.restaurant, name="Luigi's")
        DishFactory(restaurant=cast.other, name="Ming's")
    connection.close()
    del connections["default"]
    settings.DATABASE_IS_SHARED = True
    yield cast
    connection.close()
    del connections["default"]


def left():
    """What the connection still knows about who was acting."""
    connection.ensure_connection()
    row = connection.connection.execute(
        "SELECT current_setting('app.restaurant_id', true), current_setting('app.platform', true)"
    ).fetchone()
    return "".join(each or "" for each in row)


def names():
    return sorted(Dish.objects.values_list("name", flat=True))


def test_a_statement_outside_a_transaction_leaves_nothing(shared):
    for who, expected in [
        (shared.restaurant, ["Luigi's"]),
        (shared.other, ["Ming's"]),
        (rls.PLATFORM, ["Luigi's", "Ming's"]),
        (None, []),
    ]:
        with rls.acting_as(who):
            assert names() == expected
            assert left() == ""


def test_a_transaction_knows_its_restaurant_until_it_ends(shared):
    with rls.acting_as(shared.restaurant):
        with transaction.atomic():
            assert names() == ["Luigi's"]
            with rls.acting_as(shared.other):
                assert names() == ["Ming's"]
            assert names() == ["Luigi's"]
            with transaction.atomic():
                assert names() == ["Luigi's"]
                transaction.set_rollback(True)
            assert names() == ["Luigi's"]
        assert left() == ""
        with transaction.atomic():
            names()
            transaction.set_rollback(True)
        assert left() == ""
        assert names() == ["Luigi's"]


def test_writes_are_held_to_it_as_well(shared):
    with rls.acting_as(shared.restaurant):
        assert Dish.objects.update(name="Osso buco") == 1
        assert Dish.objects.filter(restaurant=shared.other).delete()[0] == 0
        assert left() == ""
    with rls.acting_as(rls.PLATFORM):
        assert names() == ["Ming's", "Osso buco"]


def test_a_statement_that_fails_leaves_nothing(shared):
    with rls.acting_as(shared.restaurant):
        with connection.cursor() as cursor, pytest.raises(DataError):
            cursor.execute("SELECT 1 / 0")
        assert left() == ""
        assert names() == ["Luigi's"]


def test_without_sharing_a_setting_stays_as_this_mode_prevents(cast, settings):
    with rls.acting_as(cast.restaurant):
        names()
        assert left() == str(cast.restaurant.pk)
    assert settings.DATABASE_IS_SHARED is False
    assert isinstance(connections["default"], DatabaseWrapper)


def test_settlement_refuses_to_lock_on_a_shared_connection(shared):
    with (
        pytest.raises(ImproperlyConfigured, match="DATABASE_POOLING=session"),
        open_checkouts._only_one(uuid4()),
    ):
        pass
