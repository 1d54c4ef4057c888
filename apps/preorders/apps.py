from importlib import import_module

from django.apps import AppConfig


class PreordersConfig(AppConfig):
    name = "apps.preorders"

    def ready(self) -> None:
        import_module("apps.preorders.webhooks")  # dj-stripe's receivers
