"""What guests who invite friends, and their friends, do."""

from datetime import timedelta

from apps.offers.models import PickupSlot
from apps.preorders.core.portions import reserved_portions
from apps.preorders.emails.preferences import set_email_preference
from apps.preorders.guest.friends import reserve_for_friends
from apps.preorders.models import Email
from apps.preorders.models.states import EmailKind


def add_times(world, offer, *times):
    """Half hours two days from now, each given as hours and capacity."""
    return [
        PickupSlot.objects.create(
            offer=offer,
            restaurant_id=offer.restaurant_id,
            starts_at=world.now + timedelta(days=2, hours=hours),
            ends_at=world.now + timedelta(days=2, hours=hours, minutes=30),
            capacity=capacity,
        )
        for hours, capacity in times
    ]


def reserve(world, order, portions, *, again=False, asked_for=None):
    return reserve_for_friends(
        order=world.fresh(order),
        portions=portions,
        again=again,
        asked_for=asked_for,
        now=world.now,
    )


def friend(
    world, starter, portions=1, *, name="Bea Ruiz", shows_first_name=False, pays=True, **more
):
    offer = world.fresh(starter.offer)
    order = world.begin(
        offer,
        portions,
        friend_of=world.fresh(starter),
        name=name,
        shows_first_name=shows_first_name,
        **more,
    )
    if pays:
        world.pay(order)
        world.hear(order)
    return world.fresh(order)


def counts(world, offer):
    """Ordered and reserved portions as shown, after checking that a count finds the same."""
    shown = world.fresh(offer)
    assert shown.reserved_portions == reserved_portions(shown)
    return shown.ordered_portions, shown.reserved_portions


def joined_emails(order):
    return Email.objects.filter(pre_order=order, kind=EmailKind.FRIEND_JOINED).count()


def turn_reminders_off(world, order):
    set_email_preference(
        restaurant_id=order.restaurant_id,
        address=order.customer_email,
        reminders=False,
        now=world.now,
    )
