"""Files made to do harm: bombs, and files that are something else at the same time. Each is
refused, or only its pixels are stored; none needs much memory or time.
"""

import io
import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from functools import cache

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, PngImagePlugin

from apps.offers.images import MAX_SCANS
from apps.offers.models import Photo

SCRIPT = b"<script>alert(document.domain)</script><?php system($_GET[0]); ?>"
TOO_WIDE = "This photo has too many pixels."
NO_PICTURE = "Upload a JPEG, PNG, WebP, or GIF."
DAMAGED = "We couldn't read this photo because the file is damaged."


def encoded(image, kind, **options):
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def small(kind, **options):
    return encoded(Image.new("RGB", (64, 48), "tomato"), kind, **options)


def jpeg_that_says(width, height):
    """A small JPEG whose header claims another size."""
    data = small("JPEG")
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


def jpeg_with_scans(count, size):
    """A progressive JPEG whose last scan is repeated: libjpeg goes through the image each time."""
    data = encoded(Image.new("RGB", size, "tomato"), "JPEG", progressive=True)
    last = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + last * count + data[-2:]


def jpeg_of_one_component_a_scan(size):
    """A sequential JPEG whose components come one after the other, cut off after the first. libjpeg
    stores all of it first, as if it were progressive, although nothing calls it that.
    """
    data = encoded(Image.new("RGB", size, "tomato"), "JPEG", subsampling=0)
    at = data.index(b"\xff\xda")
    luminance_only = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
    return data[:at] + luminance_only + data[at + 14 :]


def chunk(kind, content):
    checksum = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + checksum


def png_with(*chunks):
    data = small("PNG")
    header = 8 + 25  # the signature, and IHDR
    return data[:header] + b"".join(chunks) + data[header:]


def animated_webp(width, height):
    """An animation with a huge canvas and one small frame."""
    frame = small("WEBP")[12:]
    header = struct.pack("<I", 0x02)[:4] + _24bits(width - 1) + _24bits(height - 1)
    place = _24bits(0) * 2 + _24bits(63) + _24bits(47) + _24bits(100) + b"\0"
    chunks = (
        *(b"VP8X" + struct.pack("<I", len(header)) + header,),
        *(b"ANIM" + struct.pack("<I", 6) + bytes(6),),
        *(b"ANMF" + struct.pack("<I", len(place) + len(frame)) + place + frame,),
    )
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _24bits(number):
    return struct.pack("<I", number)[:3]


def archive():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("index.html", SCRIPT)
    return buffer.getvalue()


def a_comment():
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", SCRIPT.decode())
    return info


FIFTY_MEGAPIXELS = (8600, 5800)
TWENTY_FOUR_MEGAPIXELS = (6000, 4000)


@cache
def zeros():
    return zlib.compress(bytes(600_000_000), 9)


# The answer to each: the beginning of the refusal, or None if it is accepted as an image.
BOMBS = {
    "a PNG of 50 megapixels": (
        lambda: encoded(Image.new("L", (7071, 7071)), "PNG"),
        TOO_WIDE,
    ),
    "a GIF of 50 megapixels": (
        lambda: encoded(Image.new("P", (7071, 7071)), "GIF"),
        TOO_WIDE,
    ),
    "a JPEG of 50 megapixels": (
        lambda: encoded(Image.new("RGB", FIFTY_MEGAPIXELS, "tomato"), "JPEG"),
        None,
    ),
    "a progressive JPEG of 50 megapixels": (
        lambda: encoded(Image.new("RGB", FIFTY_MEGAPIXELS), "JPEG", progressive=True),
        TOO_WIDE,
    ),
    "a progressive JPEG of 50 megapixels and four inks": (
        lambda: encoded(Image.new("CMYK", FIFTY_MEGAPIXELS), "JPEG", progressive=True),
        TOO_WIDE,
    ),
    "a progressive JPEG of 24 megapixels": (
        lambda: encoded(
            Image.new("RGB", TWENTY_FOUR_MEGAPIXELS), "JPEG", progressive=True, subsampling=0
        ),
        None,
    ),
    "a JPEG of 50 megapixels, one component a scan": (
        lambda: jpeg_of_one_component_a_scan(FIFTY_MEGAPIXELS),
        TOO_WIDE,
    ),
    "a JPEG of thousands of scans": (
        lambda: jpeg_with_scans(20_000, TWENTY_FOUR_MEGAPIXELS),
        DAMAGED,
    ),
    "a JPEG of a few scans more": (
        lambda: jpeg_with_scans(MAX_SCANS // 2, (1200, 900)),
        None,
    ),
    "a JPEG that says 50 megapixels": (lambda: jpeg_that_says(*FIFTY_MEGAPIXELS), None),
    "a JPEG that says 65,500 by 65,500": (lambda: jpeg_that_says(65_500, 65_500), TOO_WIDE),
    "a PNG with a compressed text of 600 MB": (
        lambda: png_with(chunk(b"zTXt", b"Comment\0\0" + zeros())),
        NO_PICTURE,
    ),
    "a PNG with a compressed color profile of 600 MB": (
        lambda: png_with(chunk(b"iCCP", b"profile\0\0" + zeros())),
        NO_PICTURE,
    ),
    "a WebP animation on a canvas of 16,383 by 16,383": (
        lambda: animated_webp(16_383, 16_383),
        TOO_WIDE,
    ),
    "a WebP animation on the largest canvas that is taken": (
        lambda: animated_webp(3160, 3160),
        None,
    ),
}
POLYGLOTS = {
    "a JPEG with a script behind it": (lambda: small("JPEG") + SCRIPT, None),
    "a JPEG with a script as its comment": (lambda: small("JPEG", comment=SCRIPT), None),
    "a PNG with a script as its text": (lambda: small("PNG", pnginfo=a_comment()), None),
    "a GIF with a script behind it": (lambda: small("GIF") + SCRIPT, None),
    "a WebP with a script in its metadata": (lambda: small("WEBP", xmp=SCRIPT), None),
    "a GIF that is an archive too": (lambda: small("GIF") + archive(), None),
    "a GIF that is a script too": (lambda: b"GIF89a/*" + SCRIPT + b"*/=1;alert(1)", NO_PICTURE),
    "a page that says it is a JPEG": (lambda: SCRIPT, NO_PICTURE),
    "a drawing with a script": (
        lambda: b"<svg xmlns='http://www.w3.org/2000/svg'>" + SCRIPT + b"</svg>",
        NO_PICTURE,
    ),
    "a document that a JPEG follows": (lambda: b"%PDF-1.7\n" + small("JPEG"), NO_PICTURE),
    "an archive": (archive, NO_PICTURE),
}

# Reads each file in a process of its own, which ends after 60 seconds of work, and prints the
# refusal and by how many megabytes the peak of memory was above that of reading nothing.
READ = """
import json, os, resource, sys, django
django.setup()
from apps.common.errors import Invalid
from apps.offers.images import read_picture

def read(path):
    if not path:
        return None
    try:
        read_picture(open(path, "rb").read(), field="image")
    except Invalid as error:
        return error.message

def in_a_process(path):
    reading, writing = os.pipe()
    if not (child := os.fork()):
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        os.write(writing, json.dumps(read(path)).encode())
        os._exit(0)
    os.close(writing)
    _, status, usage = os.wait4(child, 0)
    answer = json.loads(os.read(reading, 1000)) if status == 0 else f"ended with {status}"
    os.close(reading)
    return answer, usage.ru_maxrss // 1024

_, without = in_a_process("")
for path in sys.argv[1:]:
    answer, peak = in_a_process(path)
    print(json.dumps([answer, peak - without]))
"""


# One test for all files, because starting a process that reads them takes seconds, and so does
# making them.
def test_a_bomb_needs_less_than_256_megabytes_and_a_minute(tmp_path):
    files = [tmp_path / str(number) for number in range(len(BOMBS))]
    for file, (make, _) in zip(files, BOMBS.values(), strict=True):
        file.write_bytes(make())
        assert file.stat().st_size < 5 * 1024 * 1024
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", READ, *map(str, files)],
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.test"},
        capture_output=True,
        text=True,
        check=True,
    )
    answers = map(json.loads, done.stdout.splitlines())
    for (name, (_, expected)), (refusal, megabytes) in zip(BOMBS.items(), answers, strict=True):
        assert (refusal or "").startswith(expected or ""), (name, refusal)
        assert (refusal is None) == (expected is None), (name, refusal)
        assert megabytes < 256, name


@pytest.mark.django_db
@pytest.mark.parametrize("name", POLYGLOTS)
def test_of_a_file_that_is_two_things_only_the_picture_is_stored(api, cast, platform, name):
    make, expected = POLYGLOTS[name]
    file = SimpleUploadedFile("dish.php.jpg", make(), "image/jpeg")
    answer = api(cast.owner).upload("/api/images/upload", {"image": file})
    if expected:
        assert answer.status_code == 400
        assert answer.json()["message"].startswith(expected)
        assert not Photo.objects.exists()
        return
    assert answer.status_code == 201
    folder = f"photos/{cast.restaurant.pk}/{Photo.objects.get().pk}"
    names = default_storage.listdir(folder)[1]
    assert sorted(names) == ["64.avif", "64.jpg", "64.webp"]
    for stored in names:
        with default_storage.open(f"{folder}/{stored}") as saved:
            content = saved.read()
        assert b"script" not in content
        assert b"php" not in content
        assert b"PK\x03\x04" not in content
        assert Image.open(io.BytesIO(content)).size == (64, 48)
