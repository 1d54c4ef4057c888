"""How large a request's body can be: refused by its announced length, before anything reads it."""

import io

import pytest

from apps.preorders.models import PreOrder, WaitlistEntry
from tests.client import Visitors
from tests.factories import SpecialOfferFactory

MULTIPART = "multipart/form-data; boundary=x"
TOO_MUCH = 300_000_000


class Unread(io.RawIOBase):
    """A body that records how much of it was read."""

    def __init__(self) -> None:
        self.taken = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        self.taken += max(size, 1)
        return b"x" * max(size, 1)

    def readline(self, size: int | None = -1) -> bytes:
        return self.read(65536)


def send(client, path, content_type, announced=TOO_MUCH):
    body = Unread()
    answer = client.generic(
        "POST",
        path,
        b"x",
        content_type=content_type,
        CONTENT_LENGTH=str(announced),
        **{"wsgi.input": body},
    )
    return answer, body.taken


@pytest.mark.django_db
@pytest.mark.parametrize("content_type", [MULTIPART, "application/x-www-form-urlencoded"])
def test_a_form_with_too_much_in_it_is_refused_unread(platform, content_type):
    offer = SpecialOfferFactory()
    guest = Visitors()(at=offer.restaurant)
    for path in (f"/specials/{offer.pk}/pre-order", f"/specials/{offer.pk}/waitlist"):
        answer, taken = send(guest, path, content_type)
        assert (answer.status_code, taken) == (413, 0), path
        assert "That request is too large. Send less data at a time." in answer.text
    assert not PreOrder.objects.exists()
    assert not WaitlistEntry.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/login", "/forgot-password"])
def test_the_pages_of_signing_in_refuse_it_too(api, path):
    answer, taken = send(api(), path, MULTIPART)
    assert (answer.status_code, taken) == (413, 0)
    assert "<h1" in answer.text


@pytest.mark.django_db
def test_the_api_refuses_it_in_its_one_format(api):
    answer, taken = send(api(), "/api/login", "application/json")
    assert (answer.status_code, taken) == (413, 0)
    assert answer.json()["message"] == "That request is too large. Send less data at a time."
    assert answer.json()["errors"] == []


@pytest.mark.django_db
def test_the_largest_form_is_read(api, settings):
    text = "email=" + "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE - 6)
    answer = api().post("/login", text, "application/x-www-form-urlencoded")
    assert answer.status_code == 400


@pytest.mark.django_db
def test_a_photo_has_a_limit_of_its_own(api, cast):
    owner = api(cast.owner)
    answer, taken = send(owner, "/api/upload-image", MULTIPART, announced=7_000_000)
    assert (answer.status_code, taken) == (413, 0)
    assert "5 MB" in answer.text
