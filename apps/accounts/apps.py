from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "apps.accounts"

    def ready(self) -> None:
        import_module("apps.accounts.api.schema")  # registers itself with drf-spectacular
        import_module("apps.accounts.passkeys").require_exact_origin()
        import_module("apps.accounts.receivers").connect()
        import_module("apps.accounts.tasks")  # emails are queued by task name
