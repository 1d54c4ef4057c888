"""URLs on the platform's host: the landing page's other paths, and the team's menu and history."""

from django.urls import path

from apps.offers.views import branding, calendar, landing, owner, series

urlpatterns = [
    path("register", landing.landing, name="register"),
    path("progressive-registration", landing.landing),
    path("marketing", landing.landing),
    path("restaurant/branding", branding.branding_page, name="branding"),
    path("restaurant/branding/save", branding.save, name="branding-save"),
    path("restaurant/branding/publish", branding.publish, name="branding-publish"),
    path("restaurant/branding/discard", branding.discard, name="branding-discard"),
    path("restaurant/branding/preview", branding.preview, name="branding-preview"),
    path("restaurant/menu", owner.owner_menu_view, name="menu"),
    path("restaurant/offers/<uuid:offer_id>/repeat", series.repeat, name="repeat"),
    path("restaurant/series/<uuid:series_id>", series.series, name="series"),
    path("restaurant/series/<uuid:series_id>/skip", series.skip, name="series-skip"),
    path("restaurant/series/<uuid:series_id>/unskip", series.unskip, name="series-unskip"),
    path("restaurant/series/<uuid:series_id>/stop", series.stop, name="series-stop"),
    path("restaurant/calendar", calendar.calendar, name="calendar"),
    path("restaurant/calendar/feed", calendar.change_feed, name="calendar-address"),
    path("calendar/<str:token>.ics", calendar.calendar_feed, name="calendar-feed"),
    path("specials/history", owner.history, name="history"),
]
