from django.apps import AppConfig


class RestaurantsConfig(AppConfig):
    name = "apps.restaurants"
