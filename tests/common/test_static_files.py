"""Each static file has one address, and browsers may cache those that never change for good."""

import re

import pytest
from django.conf import settings
from django.core.files.base import ContentFile

from apps.common.static_files import HashedStaticFilesStorage


@pytest.fixture
def storage(tmp_path):
    return HashedStaticFilesStorage(location=tmp_path, base_url="/static/")


def never_changes(address):
    return re.match(settings.WHITENOISE_IMMUTABLE_FILE_TEST, address)


@pytest.mark.parametrize(
    "name",
    [
        "assets/pages/restaurants/team-BQeugCoj.js",
        "assets/createLucideIcon-BVD3-zH_.js",
        "assets/fraunces-600-CDKko4HX.woff2",
        "assets/styles/app-DAdO1vTz.css",
    ],
)
def test_what_was_built_keeps_its_name_and_never_changes(storage, name):
    assert storage.hashed_name(name, ContentFile(b"x")) == name
    assert never_changes(f"/static/{name}")


@pytest.mark.parametrize("name", ["images/favicon.svg", "drf/swagger-ui-standalone-preset.js"])
def test_every_other_file_gets_a_name_with_its_hash(storage, name):
    stem, _, ending = name.rpartition(".")
    hashed = storage.hashed_name(name, ContentFile(b"x"))
    assert re.fullmatch(rf"{stem}\.[0-9a-f]{{12}}\.{ending}", hashed)
    assert never_changes(f"/static/{hashed}")
    assert not never_changes(f"/static/{name}")


def test_scripts_that_were_built_are_stored_as_they_import_each_other(storage, tmp_path):
    files = {
        "assets/page-AAAAAAAA.js": b'import("./part-BBBBBBBB.js")',
        "assets/part-BBBBBBBB.js": b'import "./page-AAAAAAAA.js"',
        "assets/look-CCCCCCCC.css": b'@font-face{src:url("/static/assets/face-DDDDDDDD.woff2")}',
        "assets/face-DDDDDDDD.woff2": b"face",
        "images/dish.css": b"a{}",
    }
    for name, content in files.items():
        storage.save(name, ContentFile(content))
    list(storage.post_process({name: (storage, name) for name in files}))
    for name, content in files.items():
        assert (tmp_path / name).read_bytes() == content
    stored = [file.name for file in (tmp_path / "assets").iterdir() if file.suffix != ".gz"]
    assert sorted(stored) == sorted(name.split("/")[1] for name in files if "assets" in name)
    assert storage.url("assets/page-AAAAAAAA.js") == "/static/assets/page-AAAAAAAA.js"
