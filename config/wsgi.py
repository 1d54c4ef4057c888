"""The WSGI application that gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from apps.common.measurements import measure_as
from config.reports import start_reports
from config.start import refuse_to_start_wrong

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
application = get_wsgi_application()
if settings.CHECKED_AT_START:
    refuse_to_start_wrong()
start_reports("web")
if settings.METRICS_TOKEN or settings.METRICS_NETWORKS:
    measure_as("web", settings.METRICS_DIR)
