"""Translation catalogs: compiles the `.po` files people edit into the `.mo` files Django reads.

`locale/{code}/LC_MESSAGES/*.po` are in the repository. The `*.mo` files beside them are built on
each machine with Babel, so GNU gettext isn't needed.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def catalogs_in(locale: Path) -> Iterator[Path]:
    yield from sorted(locale.glob("*/LC_MESSAGES/*.po"))


def is_compiled(catalog: Path) -> bool:
    """Whether the `.mo` file exists and is at least as new as the `.po` file."""
    compiled = catalog.with_suffix(".mo")
    return compiled.exists() and compiled.stat().st_mtime >= catalog.stat().st_mtime


def compile_catalog(catalog: Path) -> None:
    """Write the `.mo` file. It is moved into place in one step, so no process reads half of it."""
    with catalog.open("rb") as file:
        texts = read_po(file, locale=catalog.parent.parent.name, abort_invalid=True)
    with NamedTemporaryFile(dir=catalog.parent, suffix=".part", delete=False) as part:
        write_mo(part, texts)
    os.chmod(part.name, 0o644)
    os.replace(part.name, catalog.with_suffix(".mo"))


def compile_catalogs(locale: Path) -> None:
    """Compile the catalogs that are out of date."""
    for catalog in catalogs_in(locale):
        if not is_compiled(catalog):
            compile_catalog(catalog)
