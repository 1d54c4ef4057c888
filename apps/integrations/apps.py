from importlib import import_module

from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    name = "apps.integrations"

    def ready(self) -> None:
        import_module("apps.integrations.tasks")  # queued by name
