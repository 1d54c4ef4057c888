"""Accounts are created in the restaurant's own country, and charges name it (decision 48)."""

from typing import Any

import pytest
import stripe as stripe_api

from apps.billing import services
from apps.billing.models import ConnectAccount
from apps.common.errors import Conflict
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.restaurants import regions
from apps.restaurants.services.profile import change_profile, least_price
from tests.factories import RestaurantFactory


@pytest.mark.parametrize(
    ("country", "code", "currency"),
    [("PT", "PT", "eur"), ("Canada", "CA", "cad"), ("usa", "US", "usd"), ("JP", "JP", "jpy")],
)
def test_an_account_is_created_where_the_restaurant_is(world, country, code, currency):
    restaurant = RestaurantFactory(country=country, account=None)
    row = services.create_payment_account(restaurant=restaurant, now=world.now)
    assert (row.country, row.currency) == (code, currency)
    account: Any = stripe_api.Account.retrieve(row.account_id)
    assert (account.country, account.default_currency) == (code, currency)
    assert account.settings.payouts.schedule.interval == "manual"
    assert account.settings.payouts.debit_negative_balances is True
    assert sorted(account.capabilities.to_dict()) == ["card_payments", "transfers"]


@pytest.mark.parametrize("country", ["AR", "Brazil", "IN", "IS", "ZA"])
def test_no_account_is_asked_for_in_a_country_that_stripe_does_not_serve(world, country):
    restaurant = RestaurantFactory(country=country, account=None)
    with pytest.raises(Conflict, match="can't pay restaurants in") as refusal:
        services.create_payment_account(restaurant=restaurant, now=world.now)
    assert [each.field for each in refusal.value.fields] == ["country"]
    assert world.calls("POST /v1/accounts") == 0
    assert not ConnectAccount.objects.filter(restaurant=restaurant).exists()


def test_a_restaurant_without_a_country_names_it_first(world):
    restaurant = RestaurantFactory(country="", account=None)
    with pytest.raises(Conflict, match="Add your restaurant's country in the settings first"):
        services.create_payment_account(restaurant=restaurant, now=world.now)
    assert world.calls("POST /v1/accounts") == 0


def test_every_country_of_the_forms_is_served_or_says_so():
    codes = {each.code for each in regions.COUNTRIES}
    assert codes - regions.SETTLEMENT_CURRENCIES.keys() == set(
        ["AR", "BR", "CL", "CO", "IL", "IN", "IS", "ZA"]
    )
    assert regions.SETTLEMENT_CURRENCIES.keys() <= codes


def test_every_charge_is_on_behalf_of_the_restaurant(world):
    lisbon = world.open_restaurant(country="PT", currency="eur")
    order = world.authorized_order(world.offer(restaurant=lisbon))
    [intent] = world.intents(order)
    account = ConnectAccount.objects.get(restaurant=lisbon).account_id
    assert (intent.on_behalf_of, intent.transfer_data.destination) == (account, account)
    assert intent.currency == "eur"


# --- the smallest price ---------------------------------------------------------------------------
def test_a_currency_in_which_a_running_special_costs_too_little_is_refused(world):
    offer = world.offer(special_price="5.00", regular_price="6.00", name="Soup")
    with pytest.raises(Conflict, match="Change the price of Soup") as refusal:
        change_profile(restaurant=world.restaurant, changes={"currency": "mxn"}, now=world.now)
    assert [each.field for each in refusal.value.fields] == ["currency"]
    world.restaurant.refresh_from_db()
    assert world.restaurant.currency == "usd"
    SpecialOffer.objects.filter(pk=offer.pk).update(special_price="50.00", regular_price="60.00")
    change_profile(restaurant=world.restaurant, changes={"currency": "mxn"}, now=world.now)


def test_a_charge_that_settles_in_another_currency_has_a_higher_minimum(world):
    warsaw = world.open_restaurant(country="PL", currency="eur")
    assert least_price(warsaw, "eur") == Money.of("1.50")
    assert least_price(world.restaurant, "usd") == Money.of("0.50")
