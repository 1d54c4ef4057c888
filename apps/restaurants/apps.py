from importlib import import_module

from django.apps import AppConfig


class RestaurantsConfig(AppConfig):
    name = "apps.restaurants"

    def ready(self) -> None:
        import_module("apps.restaurants.receivers").connect()
        import_module("apps.restaurants.tasks")  # emails are queued by task name
