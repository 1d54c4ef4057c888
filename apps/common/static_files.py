"""Storage for static files, each under exactly one hashed name."""

import re
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Files built by Vite already have a hash: `assets/pages/restaurants/team-BQeugCoj.js`.
BUILT_FILE = re.compile(r"assets/.+-[\w-]{8}\.\w+$")


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Keeps the names of built files, which already have a hash.

    Scripts import each other by those names. Under a second name, a page's script would be a
    second module: a chunk that imports it later would run it again and mount the page twice.
    """

    def hashed_name(self, name: str, content: Any = None, filename: Any = None) -> str:
        if BUILT_FILE.match(name):
            return name
        hashed: str = super().hashed_name(name, content, filename)
        return hashed


class GzippedStaticFilesStorage(HashedStaticFilesStorage):
    """Compresses with gzip alone: Brotli takes longer than everything else that `collectstatic`
    does."""

    def create_compressor(self, **options: Any) -> Any:
        return super().create_compressor(use_brotli=False, **options)
