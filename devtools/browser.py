"""Finds a Chromium for the browser tests, or downloads one."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

from .console import CommandError, step
from .installing import alone
from .jobs import run_job
from .paths import PYTHON, TOOLS

NAMES_ON_PATH = (
    # It draws no window, so a visitor costs 40% less CPU time.
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
# An npm package that contains Chromium with its libraries and a font.
NPM_PACKAGE = "@sparticuz/chromium"
NPM_PACKAGE_VERSION = "147.0.0"
NPM_BROWSER = TOOLS / "chromium" / "chromium-with-libraries"

NO_BROWSER = (
    "The browser tests need Chromium, and none was found or could be downloaded. Install "
    "Chromium or Google Chrome (on Debian: apt install chromium), or set CHROMIUM to its path, "
    "and run the command again."
)
PRINT_PLAYWRIGHT_BROWSER_PATH = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""
UNPACK_BROTLI = """
const fs = require("node:fs"), zlib = require("node:zlib"), stream = require("node:stream");
stream.pipeline(fs.createReadStream(process.argv[1]), zlib.createBrotliDecompress(),
  fs.createWriteStream(process.argv[2]), (error) => { if (error) throw error; });
"""


def runs(executable: str | Path) -> bool:
    """Whether the browser starts. A downloaded one may lack system libraries."""
    try:
        done = subprocess.run(
            [str(executable), "--version"], capture_output=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def find_browser() -> str:
    """The path of a Chromium that starts, downloaded if necessary. Raises CommandError."""
    chosen = os.environ.get("CHROMIUM")
    if chosen:
        if not runs(chosen):
            raise CommandError(f"CHROMIUM is set to {chosen}, which doesn't start.")
        return chosen
    with alone("browser"):
        for candidate in _present():
            if runs(candidate):
                return candidate
        return _download()


def _present() -> Iterator[str]:
    """Browsers on this machine, lazily: asking Playwright takes a second."""
    for name in NAMES_ON_PATH:
        if found := shutil.which(name):
            yield found
    yield str(NPM_BROWSER)
    yield from _playwrights_own()


def _download() -> str:
    with step("Downloading a browser for the browser tests"):
        for downloaded in (_download_by_playwright, _download_by_npm):
            browser = downloaded()
            if browser and runs(browser):
                return browser
    raise CommandError(NO_BROWSER)


def _playwrights_own() -> list[str]:
    outcome = run_job([str(PYTHON), "-c", PRINT_PLAYWRIGHT_BROWSER_PATH])
    return outcome.output.splitlines()[-1:] if outcome.code == 0 else []


def _download_by_playwright() -> str | None:
    outcome = run_job([str(PYTHON), "-m", "playwright", "install", "chromium"])
    found = _playwrights_own() if outcome.code == 0 else []
    return found[0] if found else None


def _download_by_npm() -> str | None:
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return None
    home = NPM_BROWSER.parent
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    package = f"{NPM_PACKAGE}@{NPM_PACKAGE_VERSION}"
    outcome = run_job(
        ["npm", "install", "--prefix", str(home), "--no-save", "--no-audit", "--no-fund", package]
    )
    packed = home / "node_modules" / NPM_PACKAGE / "bin"
    if outcome.code or not _unpack(packed, home):
        shutil.rmtree(home, ignore_errors=True)
        return None
    shutil.rmtree(home / "node_modules")
    return str(NPM_BROWSER)


def _unpack(packed: Path, home: Path) -> bool:
    """Unpack the package's archives and write a launcher script."""
    for archive in sorted(packed.glob("*.br")):
        unpacked = home / archive.name.removesuffix(".br")
        if run_job(["node", "-e", UNPACK_BROTLI, str(archive), str(unpacked)]).code:
            return False
        if unpacked.suffix == ".tar":
            with tarfile.open(unpacked) as tar:
                # Python has filters since 3.11.4; Debian 12 has an older one.
                # https://docs.python.org/3.11/library/tarfile.html#supporting-older-python-versions
                tar.extraction_filter = getattr(tarfile, "data_filter", None)
                tar.extractall(home)
            unpacked.unlink()
    program = home / "chromium"
    if not program.exists():
        return False
    program.chmod(0o755)
    (home / "fonts.conf").write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>'
        f"<dir>{home}/fonts</dir><dir>/usr/share/fonts</dir>"
        f"<cachedir>{home}/font-cache</cachedir></fontconfig>\n"
    )
    NPM_BROWSER.write_text(
        "#!/bin/sh\n"
        'here="$(cd "$(dirname "$0")" && pwd)"\n'
        'export FONTCONFIG_PATH="$here" LD_LIBRARY_PATH="$here/lib"\n'
        'exec "$here/chromium" "$@"\n'
    )
    NPM_BROWSER.chmod(0o755)
    return True
