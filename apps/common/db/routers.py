"""Database router: all tables live in one schema, so it never restricts a migration."""

from typing import Any

from django_tenants.routers import TenantSyncRouter


class OneSchemaRouter(TenantSyncRouter):
    def allow_migrate(
        self, db: str, app_label: str, model_name: str | None = None, **hints: Any
    ) -> bool | None:
        return None
