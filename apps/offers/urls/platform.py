"""On the platform's host: the front door's other addresses, the terms (R2–R4, R29), and the pages
of the restaurant's own people about menu and history."""

from django.urls import path

from apps.offers.views import landing, owner

urlpatterns = [
    path("register", landing.landing, name="register"),
    path("progressive-registration", landing.landing),
    path("marketing", landing.landing),
    path("restaurant/menu", owner.owner_menu_view, name="menu"),
    path("specials/history", owner.history, name="history"),
]
