"""The staff's data pages of specials and menus."""

from django.contrib import admin

from apps.common.admin import StaffModelAdmin
from apps.offers.models import (
    Dish,
    OfferChange,
    OfferTransition,
    OfferVersion,
    OfferViews,
    Photo,
    PickupSlot,
    SpecialOffer,
)


@admin.register(SpecialOffer)
class SpecialOfferAdmin(StaffModelAdmin):
    list_display = (
        "name", "restaurant", "status", "deadline", "ordered_portions", "min_preorders",
    )  # fmt: skip
    list_filter = ("status", "has_alternative", "goes_ahead")
    search_fields = ("id", "name__icontains")
    search_help_text = "A name, or an ID."
    ordering_in_restaurant = ("-deadline",)
    related = (
        ("preorders.PreOrder", "offer"),
        ("offers.OfferTransition", "offer"),
        ("offers.OfferChange", "offer"),
        ("offers.OfferVersion", "offer"),
        ("offers.PickupSlot", "offer"),
        ("preorders.WaitlistEntry", "offer"),
    )


@admin.register(Dish)
class DishAdmin(StaffModelAdmin):
    list_display = ("name", "restaurant", "price", "hidden_at", "deleted_at")
    search_fields = ("id", "name__icontains")
    search_help_text = "A name, or an ID."


@admin.register(Photo)
class PhotoAdmin(StaffModelAdmin):
    list_display = ("id", "restaurant", "width", "height", "created_at")
    search_fields = ("id",)


@admin.register(OfferVersion)
class OfferVersionAdmin(StaffModelAdmin):
    list_display = ("name", "offer", "restaurant", "number", "special_price", "created_at")


@admin.register(OfferTransition)
class OfferTransitionAdmin(StaffModelAdmin):
    list_display = ("at", "offer", "restaurant", "old", "new", "actor")


@admin.register(OfferChange)
class OfferChangeAdmin(StaffModelAdmin):
    list_display = ("at", "offer", "restaurant", "kind", "by")
    list_filter = ("kind",)


@admin.register(PickupSlot)
class PickupSlotAdmin(StaffModelAdmin):
    list_display = ("starts_at", "ends_at", "offer", "restaurant", "capacity")


@admin.register(OfferViews)
class OfferViewsAdmin(StaffModelAdmin):
    list_display = ("day", "offer", "restaurant", "visits")
