"""The WSGI application under the browser tests, which caches pages only for a moment.

Tests change what a page shows and look at it again; each would wait two seconds for it.
"""

from config.wsgi import application

# Imported when Django is set up.
from apps.offers import page_cache  # isort: skip

__all__ = ["application"]

page_cache.FRESH_SECONDS = 0.2
