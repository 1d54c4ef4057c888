"""Every table lives in one schema, so the router has no opinion about where to migrate."""

from typing import Any

from django_tenants.routers import TenantSyncRouter


class OneSchemaRouter(TenantSyncRouter):
    def allow_migrate(
        self, db: str, app_label: str, model_name: str | None = None, **hints: Any
    ) -> bool | None:
        return None
