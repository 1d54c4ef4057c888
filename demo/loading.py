"""Loads the demo's plan through the product's services; safe to repeat and to interrupt.

What exists stays as it is: a restaurant is identified by its subdomain, a dish by its name, an
offer by its name and publication time, an order by its guest. So a restart adds only what an
interrupted load left out.
"""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction

from apps.accounts.models import User
from apps.accounts.services import accounts
from apps.billing.services import create_payment_account, sync_account
from apps.common import rls
from apps.offers.branding import Look, publish_branding, save_draft
from apps.offers.models import Dish
from apps.offers.services import upload_photo
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Domain, Membership, Restaurant
from apps.restaurants.tiers import tier_rate, tier_type
from demo import processor
from demo.offers import BEGINNING, make_offers
from demo.plan import PlannedDish, PlannedRestaurant
from demo.restaurants import RESTAURANTS

Say = Callable[[str], object]

IMAGES = Path(__file__).parent / "images"
LOGOS = Path(__file__).parent / "logos"  # by subdomain

STAFF_EMAIL, STAFF_PASSWORD = settings.DEMO_STAFF_EMAIL, "demo-admin-1"
WITHOUT_ORDERS = (
    "Payments go to Stripe itself, where the demo can't pay or open accounts for others: "
    "it has no orders and no connected restaurant."
)


def load_demo(*, now: datetime, say: Say) -> None:
    """Create what is missing of the demo, as far as the Stripe in use allows."""
    with_payments = processor.is_local()
    if not with_payments:
        say(WITHOUT_ORDERS)
    with rls.acting_as(rls.PLATFORM):
        _account(STAFF_EMAIL, STAFF_PASSWORD, "Demo Staff", User.Role.ADMIN)
        restaurants = [_restaurant(plan, now) for plan in RESTAURANTS]
    quiet = processor.silence() if with_payments else nullcontext()
    with quiet:
        for plan, restaurant in zip(RESTAURANTS, restaurants, strict=True):
            with rls.acting_as(restaurant):
                _make_menu(plan, restaurant)
                _brand(plan, restaurant, now)
                if plan.connected and with_payments:
                    _connect(restaurant, now)
                make_offers(plan, restaurant, now=now, with_payments=with_payments)
            say(f"{restaurant.name}: {restaurant.subdomain}.{settings.ROOT_DOMAIN}")


def missing_restaurants() -> list[str]:
    """The names of the demo's restaurants that don't exist yet."""
    existing = set(Restaurant.objects.values_list("subdomain", flat=True))
    return [plan.name for plan in RESTAURANTS if plan.subdomain not in existing]


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
        spanish_description=plan.spanish_description,
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
        dine_in_note=plan.dine_in_note,
        pickup_note=plan.pickup_note,
        spanish_dine_in_note=plan.spanish_notes[0],
        spanish_pickup_note=plan.spanish_notes[1],
        social_media_links=dict(plan.links),
        shows_ratings=plan.shows_ratings,
        opening_day=plan.opening_day(now),
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
    """Open a payment account that can take charges."""
    account = create_payment_account(restaurant=restaurant, now=now)
    if not account.charges_enabled:
        processor.onboard(account.account_id)
        sync_account(account_id=account.account_id, now=now)


def read_image(name: str) -> bytes:
    """A dish's photo, ready to be uploaded."""
    return (IMAGES / f"{name}.webp").read_bytes()


def _brand(plan: PlannedRestaurant, restaurant: Restaurant, now: datetime) -> None:
    """Publish the restaurant's look, if it has a logo."""
    file = LOGOS / f"{plan.subdomain}.webp"
    if not file.exists() or restaurant.branding_options:
        return
    logo = upload_photo(restaurant=restaurant, data=file.read_bytes(), field="logo")
    look = Look(accent=plan.accent, footer="", hides_platform=False, logo=logo)
    save_draft(restaurant=restaurant, look=look, now=now)
    publish_branding(restaurant=restaurant, now=now)


# --- the menu -------------------------------------------------------------------------------------
def _dishes_to_make(plan: PlannedRestaurant, restaurant: Restaurant) -> list[PlannedDish]:
    with rls.acting_as(restaurant):
        names = Dish.objects.filter(restaurant=restaurant).values_list("name", flat=True)
        there = set(names)
    return [dish for dish in plan.dishes if dish.name not in there]


def _make_menu(plan: PlannedRestaurant, restaurant: Restaurant) -> None:
    for dish in _dishes_to_make(plan, restaurant):
        photo = None
        if dish.image:
            data = read_image(dish.image)
            photo = upload_photo(restaurant=restaurant, data=data, field="image")
        Dish.objects.create(
            restaurant=restaurant,
            name=dish.name,
            description=dish.description,
            price=dish.price,
            photo=photo,
            allergens=list(dish.allergens),
            dietary=list(dish.dietary),
            translations={"es": dict(dish.spanish)} if dish.spanish else {},
            position=plan.dishes.index(dish),
        )
