"""Serializers of what a guest reads about an order, and of the email subscription."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from apps.common.api.fields import currency_field
from apps.offers.images import photo_url
from apps.preorders.checkout.serializers import same_error
from apps.preorders.core.friends import FriendsOf
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus


class EmailSubscription(serializers.Serializer[Any]):
    """Whether an order's email address is subscribed to the restaurant's news."""

    restaurantId = serializers.UUIDField(
        error_messages=same_error(_("restaurantId must be a restaurant's id."))
    )
    preorderId = serializers.UUIDField(
        error_messages=same_error(_("preorderId must be an order's id."))
    )
    optIn = serializers.BooleanField(error_messages=same_error(_("optIn must be true or false.")))


class EmailSubscribed(serializers.Serializer[Any]):
    """The subscription after the change."""

    optIn = serializers.BooleanField(source="news")
    message = serializers.CharField()


class PartyForFriends(serializers.Serializer[FriendsOf]):
    """What friends see of the guest who invited them; the context needs the `special`."""

    name = serializers.CharField(help_text="The first name of the guest who invited them.")
    portions = serializers.IntegerField(help_text="Reserved for friends who haven't ordered yet.")
    reservedUntil = serializers.DateTimeField(source="starter.friends_until")
    perOrderLimit = serializers.SerializerMethodField(
        help_text="The most portions a friend can order: those reserved, and what is left for all."
    )

    def get_perOrderLimit(self, party: FriendsOf) -> int:
        special = self.context["special"]
        return party.limit(special) if special.is_ordering_open else 0


class OrderedDish(serializers.Serializer[PreOrder]):
    """The special as the guest was shown it when ordering; `id` is the special's."""

    id = serializers.UUIDField(source="offer_id")
    name = serializers.CharField(source="sold.spoken_name")
    imageUrl = serializers.SerializerMethodField()

    def get_imageUrl(self, order: PreOrder) -> str | None:
        return photo_url(order.sold.photo) if order.sold.photo else None


class OrderedAt(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    address = serializers.CharField()
    phone = serializers.CharField()


class PublicPreOrder(serializers.Serializer[Any]):
    """Without name, email, and phone: anyone with the link can read this (DECISIONS X33)."""

    id = serializers.UUIDField(source="pk")
    quantity = serializers.IntegerField()
    totalAmount = serializers.DecimalField(10, 2, source="total_amount")
    currency = currency_field("offer.restaurant.currency")
    status = serializers.ChoiceField(PreOrderStatus.choices)
    paymentStatus = serializers.ChoiceField(PaymentStatus.choices, source="payment_status")
    createdAt = serializers.DateTimeField(source="created_at")


class PreOrderDetail(serializers.Serializer[Any]):
    """One order with its special and restaurant."""

    dish = OrderedDish(source="*")
    restaurant = OrderedAt(source="offer.restaurant")
    preorder = PublicPreOrder(source="*")
