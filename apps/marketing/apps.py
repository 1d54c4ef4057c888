from importlib import import_module

from django.apps import AppConfig


class MarketingConfig(AppConfig):
    name = "apps.marketing"

    def ready(self) -> None:
        import_module("apps.marketing.receivers")  # connects to django-anymail's signal
        import_module("apps.marketing.tasks")  # registers the tasks, which are called by name
