"""The texts in other languages: from the catalogues people edit to those programs read.

`locale/{code}/LC_MESSAGES/*.po` are in the repository; the compiled `*.mo` beside them are made on
each machine, with Babel and so without GNU gettext.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def catalogues_in(locale: Path) -> Iterator[Path]:
    yield from sorted(locale.glob("*/LC_MESSAGES/*.po"))


def is_compiled(catalogue: Path) -> bool:
    """Whether what programs read is there, and not older than what people edit."""
    compiled = catalogue.with_suffix(".mo")
    return compiled.exists() and compiled.stat().st_mtime >= catalogue.stat().st_mtime


def compile_catalogue(catalogue: Path) -> None:
    """Put the compiled one in place whole, so that nobody reads half of it."""
    with catalogue.open("rb") as file:
        texts = read_po(file, locale=catalogue.parent.parent.name, abort_invalid=True)
    with NamedTemporaryFile(dir=catalogue.parent, suffix=".part", delete=False) as part:
        write_mo(part, texts)
    os.chmod(part.name, 0o644)
    os.replace(part.name, catalogue.with_suffix(".mo"))


def compile_catalogues(locale: Path) -> None:
    """Compile what is out of date."""
    for catalogue in catalogues_in(locale):
        if not is_compiled(catalogue):
            compile_catalogue(catalogue)
