"""Everything we install may be used as we use it: permissive licenses, MPL, and LGPL."""

import json
import re
from importlib.metadata import Distribution, distributions

from devtools.paths import ROOT

ALLOWED = re.compile(
    r"MIT|BSD|Apache|ISC|MPL|Mozilla|LGPL|Python Software Foundation|PSF|Python-2.0|OFL|0BSD|"
    r"BlueOak|Zlib|CC0"
)
FORBIDDEN = re.compile(r"(?<!L)GPL|AGPL|SSPL|BUSL|Commons Clause|NonCommercial")
OURS = {"local-stripe"}


def license_of(package: Distribution) -> str:
    """What a package says of its license: an SPDX expression, its classifiers, or free text."""
    described = package.metadata
    classifiers = described.get_all("Classifier") or []
    named = [each.rpartition("::")[2] for each in classifiers if each.startswith("License")]
    free_text = described.get_all("License") or []
    return " ".join((described.get_all("License-Expression") or []) or named or free_text)


def test_every_python_package_has_a_license_that_we_can_live_with() -> None:
    packages = {package.name: license_of(package) for package in distributions()}
    assert len(packages) > 100
    refused = {
        name: license
        for name, license in packages.items()
        if name not in OURS and (not ALLOWED.search(license) or FORBIDDEN.search(license))
    }
    assert refused == {}


def test_every_javascript_package_has_a_license_that_we_can_live_with() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    refused = {
        name: package.get("license")
        for name, package in packages.items()
        # npm names no license for what it never downloaded: other platforms' builds of a tool.
        if name and "integrity" in package and not ALLOWED.search(package.get("license", ""))
    }
    assert refused == {}
