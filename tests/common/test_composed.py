"""Statements that are composed once give each key its own rows."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common.db.composed import composed_once
from apps.restaurants.models import Restaurant
from tests.factories import RestaurantFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


def test_a_statement_is_composed_at_the_first_call_and_run_for_each_key():
    composed = []

    @composed_once
    def name_of(restaurant_id):
        composed.append(restaurant_id)
        return Restaurant.objects.filter(pk=restaurant_id).values_list("name")

    luigi, maria = RestaurantFactory(name="Luigi's"), RestaurantFactory(name="Maria's")
    with CaptureQueriesContext(connection) as sent:
        assert name_of(luigi.pk) == [("Luigi's",)]
        assert name_of(maria.pk) == [("Maria's",)]
    assert len(sent) == 2
    assert len(composed) == 1
    luigi.delete()
    assert name_of(luigi.pk) == []
