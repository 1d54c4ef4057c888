"""URLs on the platform's host: the landing page's other paths, and the team's menu and history."""

from django.urls import path

from apps.offers.views import landing, owner

urlpatterns = [
    path("register", landing.landing, name="register"),
    path("progressive-registration", landing.landing),
    path("marketing", landing.landing),
    path("restaurant/menu", owner.owner_menu_view, name="menu"),
    path("specials/history", owner.history, name="history"),
]
