"""Static files as they are served, but for what a slow network wants of them."""

from collections.abc import Iterator
from typing import Any

from apps.common.static_files import HashedStaticFilesStorage


class UncompressedStorage(HashedStaticFilesStorage):
    """Under the same names, and not pressed: Brotli takes longer than all else at the start."""

    def post_process_with_compression(self, files: Iterator[Any]) -> Iterator[Any]:
        yield from files
