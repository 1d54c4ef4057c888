"""Serves `benchmarks.bare`, whatever settings the environment names for the program."""

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.bare"
application = get_wsgi_application()
