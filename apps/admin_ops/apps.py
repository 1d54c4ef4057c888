from importlib import import_module
from importlib.util import find_spec

from django.apps import AppConfig
from django.apps import apps as installed
from django.contrib.admin import apps as admin_apps


class AdminOpsConfig(AppConfig):
    default = True
    name = "apps.admin_ops"


class StaffDataConfig(admin_apps.SimpleAdminConfig):
    """django.contrib.admin with our own site.

    Only our own apps' `admin` modules are imported: those of libraries would add forms.
    """

    default = False
    default_site = "apps.admin_ops.staff_site.StaffSite"

    def ready(self) -> None:
        super().ready()
        for each in installed.get_app_configs():
            if each.name.startswith("apps.") and find_spec(f"{each.name}.admin"):
                import_module(f"{each.name}.admin")
