"""Static files under names that carry their content's hash, each under one name only."""

import re
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

# What the front end's build writes: `assets/pages/restaurants/team-BQeugCoj.js`.
BUILT = re.compile(r"assets/.+-[\w-]{8}\.\w+$")


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Leaves the built files their names, which have a hash already.

    Scripts import each other by those names. Under a second one a page's script would be another
    module: it would run again when a part loaded later imports from it, and mount the page anew.
    """

    def hashed_name(self, name: str, content: Any = None, filename: Any = None) -> str:
        if BUILT.match(name):
            return name
        hashed: str = super().hashed_name(name, content, filename)
        return hashed


class GzippedStaticFilesStorage(HashedStaticFilesStorage):
    """Leaves Brotli out, which takes longer than everything else that `collectstatic` does."""

    def create_compressor(self, **options: Any) -> Any:
        return super().create_compressor(use_brotli=False, **options)
