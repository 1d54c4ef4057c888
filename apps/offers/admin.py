"""The staff's data pages of specials and menus."""

from django.contrib import admin

from apps.common.admin import StaffModelAdmin
from apps.offers.models import (
    Branding,
    CalendarFeed,
    Dish,
    OfferChange,
    OfferPhoto,
    OfferSeries,
    OfferTransition,
    OfferVersion,
    OfferViews,
    Photo,
    PickupSlot,
    SeriesDate,
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
        ("offers.OfferPhoto", "offer"),
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


@admin.register(OfferPhoto)
class OfferPhotoAdmin(StaffModelAdmin):
    list_display = ("offer", "position", "restaurant", "photo")


@admin.register(OfferViews)
class OfferViewsAdmin(StaffModelAdmin):
    list_display = ("day", "offer", "restaurant", "visits")


@admin.register(OfferSeries)
class OfferSeriesAdmin(StaffModelAdmin):
    list_display = ("pattern", "restaurant", "weekday", "next_serve_date", "due_at", "stopped_at")
    related = (("offers.SeriesDate", "series"),)


@admin.register(SeriesDate)
class SeriesDateAdmin(StaffModelAdmin):
    list_display = ("serve_date", "series", "restaurant", "status", "offer")
    list_filter = ("status",)


@admin.register(CalendarFeed)
class CalendarFeedAdmin(StaffModelAdmin):
    list_display = ("id", "restaurant", "created_at")


@admin.register(Branding)
class BrandingAdmin(StaffModelAdmin):
    list_display = (
        "restaurant",
        "is_published",
        "accent",
        "footer",
        "hides_platform",
        "changed_at",
    )
