"""What has to be there before Django is set up, so that `pytest tests/…` works by itself."""

import django

from devtools.testing import provide_environment

provide_environment()
django.setup()
