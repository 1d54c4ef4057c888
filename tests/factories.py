"""Factories: each row gets what makes it valid, and a test names only what it is about.

Rows are written as the platform, whoever the test acts as, because a factory sets the scene.
"""

from copy import copy
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import factory
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from factory.django import DjangoModelFactory

from apps.accounts.models import User
from apps.billing.models import ConnectAccount
from apps.common import clock, rls
from apps.common.ids import order_id, share_code
from apps.offers.models import Dish, OfferVersion, PickupSlot, SpecialOffer
from apps.offers.versions import current_version
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Domain, Membership, Restaurant

PASSWORD = "basil-and-lemon-9"
Row = TypeVar("Row")


class PlatformFactory(DjangoModelFactory[Row]):
    class Meta:
        abstract = True

    if TYPE_CHECKING:
        # At run time the metaclass makes a call create a row, which its types don't say.
        def __new__(cls, *args: Any, **fields: Any) -> Row: ...  # type: ignore[misc]

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **kwargs: Any) -> Any:
        with rls.acting_as(rls.PLATFORM):
            return super()._create(model_class, *args, **kwargs)


class EmailAddressFactory(PlatformFactory[EmailAddress]):
    class Meta:
        model = EmailAddress

    email = factory.LazyAttribute(lambda row: row.user.email.lower())
    verified = True
    primary = True


class UserFactory(PlatformFactory[User]):
    """A user with a confirmed address; `address__verified=False` makes it unconfirmed."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"person{n}@example.test")
    name = factory.Sequence(lambda n: f"Person {n}")
    password = factory.django.Password(PASSWORD)

    address = factory.RelatedFactory(EmailAddressFactory, factory_related_name="user")


class AuthenticatorFactory(PlatformFactory[Authenticator]):
    class Meta:
        model = Authenticator

    type = Authenticator.Type.TOTP
    data = {"secret": "not used: the test does not sign in with it"}


class StaffFactory(UserFactory):
    """The platform's staff, with the second factor they need to act as such."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    role = User.Role.ADMIN

    app = factory.RelatedFactory(AuthenticatorFactory, factory_related_name="user")


class DomainFactory(PlatformFactory[Domain]):
    class Meta:
        model = Domain

    is_primary = True
    domain = factory.LazyAttribute(lambda row: f"{row.tenant.subdomain}.{settings.ROOT_DOMAIN}")


class ConnectAccountFactory(PlatformFactory[ConnectAccount]):
    class Meta:
        model = ConnectAccount

    account_id = factory.Sequence(lambda n: f"acct_test{n}")
    details_submitted = True
    charges_enabled = True
    payouts_enabled = True
    synced_at = factory.LazyFunction(clock.now)


class RestaurantFactory(PlatformFactory[Restaurant]):
    """An active restaurant with its host and a payment account that takes money.

    `account__charges_enabled=False` makes one that can't yet, `account=None` leaves the account
    out.
    """

    class Meta:
        model = Restaurant
        skip_postgeneration_save = True

    name = factory.Sequence(lambda n: f"Trattoria {n}")
    slug = factory.LazyAttribute(lambda row: row.subdomain)
    subdomain = factory.Sequence(lambda n: f"trattoria{n}")
    email = factory.LazyAttribute(lambda row: f"{row.subdomain}@example.test")
    email_confirmed_at = factory.LazyFunction(clock.now)
    phone = "+1 212 555 0100"
    street_address = "1 Mulberry Street"
    city = "New York"
    state = "NY"
    zip_code = "10013"
    country = "US"
    profile_completed = True

    host = factory.RelatedFactory(DomainFactory, factory_related_name="tenant")
    account = factory.RelatedFactory(ConnectAccountFactory, factory_related_name="restaurant")


class MembershipFactory(PlatformFactory[Membership]):
    class Meta:
        model = Membership

    user = factory.SubFactory(UserFactory)
    restaurant = factory.SubFactory(RestaurantFactory)
    role = Membership.Role.OWNER


class DishFactory(PlatformFactory[Dish]):
    class Meta:
        model = Dish

    restaurant = factory.SubFactory(RestaurantFactory)
    name = factory.Sequence(lambda n: f"Dish {n}")
    description = "From the regular menu."
    price = Decimal("18.00")


class SpecialOfferFactory(PlatformFactory[SpecialOffer]):
    """Active, due in a day, served the day after; 24.00 instead of 30.00 from 3 portions on."""

    class Meta:
        model = SpecialOffer

    restaurant = factory.SubFactory(RestaurantFactory)
    name = factory.Sequence(lambda n: f"Special {n}")
    description = "Slow-braised for nine hours."
    regular_price = Decimal("30.00")
    special_price = Decimal("24.00")
    created_at = factory.LazyFunction(clock.now)
    deadline = factory.LazyAttribute(lambda row: row.created_at + timedelta(days=1))
    serve_date = factory.LazyAttribute(
        lambda row: (row.deadline + timedelta(days=1)).astimezone(row.restaurant.zone).date()
    )
    min_preorders = 3
    revenue_share_rate = Decimal("0.00")


def version_of(offer: SpecialOffer) -> OfferVersion:
    """The version of the offer that is sold to a guest who orders now."""
    with rls.acting_as(rls.PLATFORM):
        return current_version(offer, now=clock.now())


class PreOrderFactory(PlatformFactory[PreOrder]):
    """An order of one portion whose card is held; with `in_checkout=True` the card isn't given yet.

    The offer's cached counts are not touched: a test that shows them sets them.
    """

    class Meta:
        model = PreOrder

    class Params:
        in_checkout = factory.Trait(
            payment_status=PaymentStatus.UNPAID,
            payment_intent_id=None,
            authorized_at=None,
            capture_before=None,
        )

    offer = factory.SubFactory(SpecialOfferFactory)
    restaurant = factory.SelfAttribute("offer.restaurant")
    sold = factory.LazyAttribute(lambda row: version_of(row.offer))
    quantity = 1
    unit_price = factory.SelfAttribute("offer.special_price")
    subtotal = factory.LazyAttribute(lambda row: row.unit_price * row.quantity)
    tax_rate = Decimal("8.00")
    tax = factory.LazyAttribute(
        lambda row: (row.subtotal * row.tax_rate / 100).quantize(Decimal("0.01"))
    )
    total_amount = factory.LazyAttribute(lambda row: row.subtotal + row.tax)
    revenue_share_rate = factory.SelfAttribute("offer.revenue_share_rate")
    revenue_share = Decimal("0.00")
    processing_fee = Decimal("1.57")
    status = PreOrderStatus.PENDING
    payment_status = PaymentStatus.AUTHORIZED
    customer_name = "Dana Guest"
    customer_email = "dana@example.test"
    customer_phone = "+1 212 555 0199"
    checkout_session_id = factory.Sequence(lambda n: f"cs_test_{n}")
    payment_intent_id = factory.Sequence(lambda n: f"pi_test_{n}")
    created_at = factory.LazyFunction(clock.now)
    checkout_expires_at = factory.LazyAttribute(lambda row: row.created_at + timedelta(minutes=30))
    authorized_at = factory.LazyAttribute(lambda row: row.created_at)
    capture_before = factory.LazyAttribute(lambda row: row.created_at + timedelta(days=7))


def save_crowd(number: int, **fields: Any) -> list[PreOrder]:
    """As many orders as asked for, alike but for what is unique, in one statement. The factory
    takes 2 ms for each."""
    first = PreOrderFactory.build(**fields)
    orders = [copy(first) for _ in range(number)]
    for order in orders:
        order.pk, order.share_code = order_id(), share_code()
        order.checkout_session_id, order.payment_intent_id = None, f"pi_test_{order.pk.hex}"
    with rls.acting_as(rls.PLATFORM):
        return PreOrder.objects.bulk_create(orders)


def add_hours(special: SpecialOffer, *capacities: int | None) -> list[PickupSlot]:
    """Pickup times of an hour each, from a day after the deadline on."""
    begins = special.deadline + timedelta(days=1)
    return [
        PickupSlot.objects.create(
            restaurant_id=special.restaurant_id,
            offer=special,
            starts_at=begins + timedelta(hours=hours),
            ends_at=begins + timedelta(hours=hours + 1),
            capacity=capacity,
        )
        for hours, capacity in enumerate(capacities)
    ]
