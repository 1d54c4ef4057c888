"""Public pages, on a restaurant's host and on the platform's."""

from django.urls import path

from apps.offers import views

urlpatterns = [
    path("", views.home, name="home"),
    path("specials", views.specials, name="specials"),
]
