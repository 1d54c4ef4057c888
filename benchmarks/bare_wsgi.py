"""WSGI application of `benchmarks.bare`, regardless of DJANGO_SETTINGS_MODULE."""

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.bare"
application = get_wsgi_application()
