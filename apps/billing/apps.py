from importlib import import_module

from django.apps import AppConfig


class BillingConfig(AppConfig):
    name = "apps.billing"

    def ready(self) -> None:
        import_module("apps.billing.stripe_gateway").configure()
        # Importing the module also registers our receivers.
        import_module("apps.billing.webhooks").mirror_nothing()
