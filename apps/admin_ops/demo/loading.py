"""Carries out the demo's plan with the ordinary services; safe to repeat and to interrupt.

Whatever is there stays as it is: a restaurant is known by its subdomain, a dish by its name, an
offer by its name and the moment of its publication, an order by its guest. So a restart adds what
an interrupted one left out, and otherwise nothing.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from datetime import datetime

from django.conf import settings
from django.db import transaction

from apps.accounts.models import User
from apps.accounts.services import accounts
from apps.admin_ops.demo import plates, processor
from apps.admin_ops.demo.offers import BEGINNING, make_offers
from apps.admin_ops.demo.plan import PlannedDish, PlannedRestaurant
from apps.admin_ops.demo.restaurants import RESTAURANTS
from apps.billing.services import create_payment_account, sync_account
from apps.common import rls
from apps.offers.models import Dish
from apps.offers.services import upload_photo
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Domain, Membership, Restaurant
from apps.restaurants.tiers import tier_rate, tier_type

Say = Callable[[str], object]

STAFF_EMAIL, STAFF_PASSWORD = settings.DEMO_STAFF_EMAIL, "demo-admin-1"
WITHOUT_ORDERS = (
    "Payments go to Stripe itself, where nobody can pay or open accounts for others: "
    "the demo has no orders and no connected restaurant."
)


def load_demo(*, now: datetime, say: Say) -> None:
    """Make sure the demo is there, as far as the processor in use allows."""
    with_payments = processor.is_local()
    if not with_payments:
        say(WITHOUT_ORDERS)
    with rls.acting_as(rls.PLATFORM):
        _account(STAFF_EMAIL, STAFF_PASSWORD, "Demo Staff", User.Role.ADMIN)
        restaurants = [_restaurant(plan, now) for plan in RESTAURANTS]
    quiet = processor.silence() if with_payments else nullcontext()
    with quiet, ThreadPoolExecutor(max_workers=2) as painters:
        pictures = {
            dish.plate: painters.submit(plates.paint, dish.plate)
            for plan, restaurant in zip(RESTAURANTS, restaurants, strict=True)
            for dish in _dishes_to_make(plan, restaurant)
            if dish.plate
        }
        for plan, restaurant in zip(RESTAURANTS, restaurants, strict=True):
            with rls.acting_as(restaurant):
                _make_menu(plan, restaurant, pictures)
                if plan.connected and with_payments:
                    _connect(restaurant, now)
                make_offers(plan, restaurant, now=now, with_payments=with_payments)
            say(f"{restaurant.name}: {restaurant.subdomain}.{settings.ROOT_DOMAIN}")


# --- who and where --------------------------------------------------------------------------------
def _account(email: str, password: str, name: str, role: str) -> User:
    user = accounts.account_for_email(email)
    if user is None:
        user = accounts.create_account(
            email=email, password=password, name=name, role=role, confirmed=True
        )
        user.has_completed_onboarding = True
        user.save(update_fields=["has_completed_onboarding"])
    return user


@transaction.atomic
def _restaurant(plan: PlannedRestaurant, now: datetime) -> Restaurant:
    restaurant = Restaurant.objects.filter(subdomain=plan.subdomain).first()
    if restaurant is None:
        restaurant = _new_restaurant(plan, now)
    owner = _account(plan.owner_email, plan.owner_password, plan.owner_name, User.Role.USER)
    Membership.objects.get_or_create(
        user=owner, restaurant=restaurant, defaults={"role": Membership.Role.OWNER}
    )
    return restaurant


def _new_restaurant(plan: PlannedRestaurant, now: datetime) -> Restaurant:
    latitude, longitude = plan.coordinates
    restaurant = Restaurant.objects.create(
        name=plan.name,
        owner_name=plan.owner_name,
        description=plan.description,
        street_address=plan.street,
        city=plan.city,
        state=plan.state,
        zip_code=plan.zip_code,
        country=plan.country,
        currency=plan.currency,
        latitude=latitude or None,
        longitude=longitude or None,
        timezone=plan.timezone,
        phone=plan.phone,
        email=f"hello@{plan.subdomain}.demo.test",
        cuisine_type=plan.cuisine,
        hours_of_operation=dict(plan.hours),
        social_media_links=dict(plan.links),
        slug=plan.subdomain,
        subdomain=plan.subdomain,
        subdomain_chosen_at=now,
        registration_status=Restaurant.RegistrationStatus.COMPLETE,
        subscription_tier=plan.tier,
        revenue_share_percentage=tier_rate(plan.tier),
        tier_type=tier_type(plan.tier),
        settings={"taxRate": plan.tax_rate, BEGINNING: now.isoformat()},
        onboarding_completed=True,
        profile_completed=True,
        marketing_completed=bool(plan.links),
        password_set=True,
    )
    host = f"{plan.subdomain}.{settings.ROOT_DOMAIN}"
    Domain.objects.create(domain=host, tenant=restaurant, is_primary=True)
    forget_hosts(restaurant)
    return restaurant


def _connect(restaurant: Restaurant, now: datetime) -> None:
    """A payment account that may take money."""
    account = create_payment_account(restaurant=restaurant, now=now)
    if not account.charges_enabled:
        processor.onboard(account.account_id)
        sync_account(account_id=account.account_id, now=now)


# --- the menu -------------------------------------------------------------------------------------
def _dishes_to_make(plan: PlannedRestaurant, restaurant: Restaurant) -> list[PlannedDish]:
    with rls.acting_as(restaurant):
        names = Dish.objects.filter(restaurant=restaurant).values_list("name", flat=True)
        there = set(names)
    return [dish for dish in plan.dishes if dish.name not in there]


def _make_menu(
    plan: PlannedRestaurant, restaurant: Restaurant, pictures: dict[str, Future[bytes]]
) -> None:
    for dish in _dishes_to_make(plan, restaurant):
        photo = None
        if dish.plate:
            picture = pictures[dish.plate].result()
            photo = upload_photo(restaurant=restaurant, data=picture, field="image")
        Dish.objects.create(
            restaurant=restaurant,
            name=dish.name,
            description=dish.description,
            price=dish.price,
            photo=photo,
            allergens=list(dish.allergens),
            dietary=list(dish.dietary),
            position=plan.dishes.index(dish),
        )
