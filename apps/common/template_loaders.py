"""Django's template loaders, without the indentation of HTML files.

Indentation is for whoever reads a template. Compressed, it was up to a thirtieth of a public page,
whose weight is limited (design §8). A line break stays, because in HTML it means the same as any
blank: https://www.w3.org/TR/css-text-3/#white-space-phase-1. Indentation goes as a template is
loaded, which the cached loader does once, and not from what is filled in, so that texts of guests
and owners stay whole.
"""

import re

from django.template import Engine, Origin
from django.template.loaders import app_directories, cached, filesystem

_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class FilesystemLoader(filesystem.Loader):
    """Loads from `DIRS`. Line numbers in errors stay those of the file."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return _INDENTATION.sub("", contents) if origin.name.endswith(".html") else contents


class AppDirectoriesLoader(FilesystemLoader, app_directories.Loader):
    """Loads from each app's `templates` folder."""


class Loader(cached.Loader):
    """Both, each template once."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(
            engine, [f"{__name__}.FilesystemLoader", f"{__name__}.AppDirectoriesLoader"]
        )
