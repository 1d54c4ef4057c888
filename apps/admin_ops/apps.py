from django.apps import AppConfig


class AdminOpsConfig(AppConfig):
    name = "apps.admin_ops"
