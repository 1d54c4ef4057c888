"""URLs of the public restaurant API, on every host."""

from django.urls import path

from apps.restaurants.api.views import directory, profile

urlpatterns = [
    path("restaurant", profile.OneRestaurantView.as_view()),
    path("places", profile.RegionsView.as_view()),
    path("restaurants/<uuid:restaurant_id>", directory.RestaurantByIdView.as_view()),
    path("restaurants/by-subdomain/<str:subdomain>", directory.RestaurantBySubdomainView.as_view()),
]
