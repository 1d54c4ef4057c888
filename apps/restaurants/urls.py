"""The API of restaurants and their people, on the platform's host."""

from django.urls import path

from apps.restaurants.api.login import LoginView

urlpatterns = [path("api/login", LoginView.as_view())]
