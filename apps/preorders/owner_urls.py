"""The owners' pages, on the platform's host."""

from django.urls import path

from apps.preorders import dashboard

urlpatterns = [
    path("restaurant", dashboard.dashboard, name="dashboard"),
    path("restaurant/dashboard", dashboard.dashboard),
]
