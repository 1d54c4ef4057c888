"""Alarms, metrics, and reports to other services; all but the Status page is off by default."""

from config import env

# Where notices of alarms go, by email and by webhook (docs/operations.md). With neither, only the
# staff's Status page shows them.
ALARM_EMAILS = env.names("ALARM_EMAILS")
ALARM_WEBHOOK_URL = env.text("ALARM_WEBHOOK_URL", "")
ALARM_WEBHOOK_SECRET = env.text("ALARM_WEBHOOK_SECRET", "")
# An alarm opens when the last backup is older than this; 0 if something else watches backups.
BACKUP_MAX_AGE_HOURS = env.integer("BACKUP_MAX_AGE_HOURS", 0)

# --- metrics: measured, and readable at /metrics, with one of the two or both ---------------------
METRICS_TOKEN = env.text("METRICS_TOKEN", "")
METRICS_NETWORKS = env.names("METRICS_NETWORKS")

# --- reports to other services (config.reports) ---------------------------------------------------
SENTRY_DSN = env.text("SENTRY_DSN", "")
OTEL_EXPORTER_OTLP_ENDPOINT = env.text("OTEL_EXPORTER_OTLP_ENDPOINT", "")
OTEL_TRACES_SHARE = float(env.decimal("OTEL_TRACES_SHARE", "0.1"))
REPORTED_ENVIRONMENT = env.text("REPORTED_ENVIRONMENT", "production")
REPORTED_RELEASE = env.text("REPORTED_RELEASE", "")
