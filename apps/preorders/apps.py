from django.apps import AppConfig


class PreordersConfig(AppConfig):
    name = "apps.preorders"
