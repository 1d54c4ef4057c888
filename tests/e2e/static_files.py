"""Static files as in production, but without compression."""

from collections.abc import Iterator
from typing import Any

from apps.common.static_files import HashedStaticFilesStorage


class UncompressedStorage(HashedStaticFilesStorage):
    """The same names as in production, without Brotli, which takes longer than everything else at
    the start."""

    def post_process_with_compression(self, files: Iterator[Any]) -> Iterator[Any]:
        yield from files
