"""The owner's pages of followers: the list, its files, and composing an email."""

import csv
import io
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.mail import EmailMultiAlternatives
from django.test.client import MULTIPART_CONTENT

from apps.activity.models import LoggedEvent
from apps.common import rls
from apps.marketing.models import Campaign
from apps.offers.models import Photo
from apps.preorders.models import Subscriber
from apps.restaurants.models import Restaurant
from tests.conftest import NOON, Cast, Clock
from tests.factories import PreOrderFactory
from tests.marketing.test_campaigns import followers, run
from tests.pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
PAGE = "/restaurant/audience"
HEADER = "email,name,language,consent_date,consent_source\n"
GOOD = "dana@example.test,Dana,en,2026-05-02,Sign-up sheet at the counter\n"
Status = Subscriber.Status


@pytest.fixture
def owner(api: Any, cast: Cast) -> Any:
    return api(cast.owner)


def post(client: Any, path: str, **sent: Any) -> Any:
    return client.post(path, sent, MULTIPART_CONTENT)


def csv_file(text: str | bytes) -> SimpleUploadedFile:
    content = text if isinstance(text, bytes) else text.encode()
    return SimpleUploadedFile("followers.csv", content, "text/csv")


def emails() -> dict[str, str]:
    with rls.acting_as(rls.PLATFORM):
        return dict(Subscriber.objects.values_list("email", "status"))


def kinds() -> list[str]:
    with rls.acting_as(rls.PLATFORM):
        return list(LoggedEvent.objects.order_by("pk").values_list("kind", flat=True))


class TestTheList:
    def test_an_empty_list_says_how_guests_get_on_it(self, owner: Any) -> None:
        page = text_of(owner.get(PAGE))
        assert "0 followers" in page
        assert "http://luigis.localhost:8000/follow" in page

    def test_each_follower_is_shown_with_the_proof_of_consent_and_no_other_restaurants(
        self, owner: Any, cast: Cast
    ) -> None:
        followers(
            cast.restaurant,
            1,
            name="Dana",
            source="follow",
            consent_context="http://luigis.localhost:8000/follow",
            consent_words="Luigi's emails you.",
        )
        followers(cast.other, 3)
        page = text_of(owner.get(PAGE))
        assert "1 follower" in page
        assert page.count("@example.test") == 1
        for told in ("On your public page", "localhost:8000/follow", "“Luigi's emails you.”"):
            assert told in page

    def test_the_list_is_searched_and_has_pages(self, owner: Any, cast: Cast) -> None:
        followers(cast.restaurant, 60)
        assert text_of(owner.get(PAGE)).count("@example.test") == 50
        assert text_of(owner.get(f"{PAGE}?page=2")).count("@example.test") == 10
        assert text_of(owner.get(f"{PAGE}?search=guest42")).count("@example.test") == 1
        assert "No matching followers" in text_of(owner.get(f"{PAGE}?search=%00nobody&page=x"))

    def test_a_follower_is_removed_and_who_unsubscribed_stays(
        self, owner: Any, api: Any, cast: Cast
    ) -> None:
        one, other = followers(cast.restaurant, 2)
        with rls.acting_as(rls.PLATFORM):
            Subscriber.objects.filter(pk=other.pk).update(status="unsubscribed")
        post(api(cast.outsider), f"{PAGE}/{one.pk}/remove")
        assert len(emails()) == 2
        for each in (one, other):
            post(owner, f"{PAGE}/{each.pk}/remove")
        assert emails() == {other.email: "unsubscribed"}
        assert kinds() == ["follower_removed"]

    def test_an_export_has_every_proof_and_no_formula(self, owner: Any, cast: Cast) -> None:
        followers(cast.restaurant, 1, name="=HYPERLINK(1)", source="import", consent_context="+1")
        answer = post(owner, f"{PAGE}/export")
        content = b"".join(answer.streaming_content).decode("utf-8-sig")
        header, row = csv.reader(io.StringIO(content))
        assert header[0] == "Email"
        assert (row[0], row[1], row[6]) == ("guest0@example.test", "'=HYPERLINK(1)", "'+1")
        assert answer["Content-Disposition"] == 'attachment; filename="followers-2027-03-22.csv"'
        assert kinds() == ["audience_exported"]

    def test_the_kitchen_sees_no_addresses_and_changes_nothing(self, api: Any, cast: Cast) -> None:
        kitchen, manager = api(cast.kitchen), api(cast.manager)
        for path in (PAGE, f"{PAGE}/import", f"{PAGE}/emails/new"):
            assert kitchen.get(path).status_code == 403
        assert manager.get(PAGE).status_code == 200
        assert manager.get(f"{PAGE}/import").status_code == 403
        assert api().get(PAGE).status_code == 302

    def test_nudges_are_turned_off_and_on(self, owner: Any, cast: Cast) -> None:
        for sent, are_on in (({}, False), ({"nudges": "on"}, True)):
            post(owner, f"{PAGE}/nudges", **sent)
            assert (" checked" in owner.get(PAGE).content.decode()) is are_on


class TestImporting:
    def preview(self, owner: Any, text: str | bytes) -> Any:
        return post(owner, f"{PAGE}/import", file=csv_file(text))

    def confirm(self, owner: Any, text: str, **sent: str) -> Any:
        return post(owner, f"{PAGE}/import", text=text, **{"import": "1", "proof": "yes", **sent})

    def test_a_file_is_previewed_then_imported_with_its_proof(
        self, owner: Any, cast: Cast, clock: Clock
    ) -> None:
        page = self.preview(owner, HEADER + GOOD)
        assert page.status_code == 200
        assert "1 new follower" in text_of(page)
        assert emails() == {}
        assert self.confirm(owner, HEADER + GOOD).status_code == 302
        with rls.acting_as(rls.PLATFORM):
            row = Subscriber.objects.get()
        assert (row.email, row.status, row.source) == ("dana@example.test", "confirmed", "import")
        assert (row.name, row.language) == ("Dana", "en-us")
        assert row.consent_context == "Sign-up sheet at the counter"
        assert f"{row.consent_at:%Y-%m-%d}" == "2026-05-02"
        assert row.confirmed_at == clock.now
        assert kinds() == ["audience_imported"]

    def test_without_the_owners_word_nothing_is_imported(self, owner: Any) -> None:
        page = self.confirm(owner, HEADER + GOOD, proof="")
        assert page.status_code == 400
        assert "Confirm that everybody in the file asked" in text_of(page)
        assert emails() == {}

    def test_each_wrong_line_is_named_and_none_is_imported(self, owner: Any) -> None:
        text = (
            HEADER
            + GOOD
            + "dana,,en,2026-05-02,x\n"
            + "a@example.test,,fr,2026-05-02,x\n"
            + "b@example.test,,en,02/05/2026,x\n"
            + "c@example.test,,en,2099-01-01,x\n"
            + "d@example.test,,en,2026-05-02,\n"
            + "DANA@example.test,,en,2026-05-02,x\n"
        )
        page = self.preview(owner, text)
        assert page.status_code == 400
        shown = text_of(page)
        for told in (
            "Line 3: “dana” isn't an email address.",
            "Line 4: The language must be en or es.",
            "Line 5: The consent date must look like 2026-11-23.",
            "Line 6: The consent date must be in the past.",
            "Line 7: Say where they asked",
            "Line 8: dana@example.test is in the file twice.",
            "Nothing was imported.",
        ):
            assert told in shown
        assert self.confirm(owner, text).status_code == 400
        assert emails() == {}

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            (b"", "Choose a CSV file."),
            (b"\xff\xfe\x00", "We couldn't read this file"),
            ("email\na@example.test\n", "Missing: consent_date, consent_source"),
            (HEADER, "The file has no followers in it."),
            (HEADER + GOOD * 2001, "The file is too large"),
            (HEADER + "a\0b,,,,\n", "We couldn't read this file"),
        ],
    )
    def test_a_file_that_cannot_be_read_is_refused(self, owner: Any, text: Any, says: str) -> None:
        page = self.preview(owner, text)
        assert page.status_code == 400
        assert says in text_of(page)

    def test_an_import_subscribes_nobody_again_who_stopped(self, owner: Any, cast: Cast) -> None:
        rows = followers(cast.restaurant, 3)
        states = ["unsubscribed", "suppressed", "pending"]
        with rls.acting_as(rls.PLATFORM):
            for row, state in zip(rows, states, strict=True):
                Subscriber.objects.filter(pk=row.pk).update(status=state)
        lines = "".join(f"guest{each}@example.test,,en,2026-05-02,x\n" for each in range(3))
        assert self.confirm(owner, HEADER + lines).status_code == 302
        assert emails() == {
            "guest0@example.test": "unsubscribed",
            "guest1@example.test": "suppressed",
            "guest2@example.test": "confirmed",
        }


class TestComposing:
    NEW = f"{PAGE}/emails/new"

    def test_the_preview_is_what_the_email_says(
        self, owner: Any, cast: Cast, special: Any, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 2)
        sent = {"special": str(special.pk), "segment": "all", "note": "<b>Truffles</b> & more"}
        page = text_of(post(owner, self.NEW, do="preview", **sent))
        assert "<b>Truffles</b> & more" in page
        assert "2 followers will get it" in page
        with rls.acting_as(rls.PLATFORM):
            assert not Campaign.objects.exists()
        assert post(owner, self.NEW, do="send", **sent).status_code == 302
        run(run_tasks)
        assert len(mail.outbox) == 2
        assert str(mail.outbox[0].subject) in page
        message = mail.outbox[0]
        assert isinstance(message, EmailMultiAlternatives)
        html = str(message.alternatives[0][0])
        assert "&lt;b&gt;Truffles&lt;/b&gt; &amp; more" in html
        assert kinds() == ["campaign_scheduled"]

    def test_the_preview_shows_a_photo_that_its_page_can_load(
        self, owner: Any, cast: Cast, special: Any
    ) -> None:
        """The pages' content policy lets in pictures of their own host only."""
        with rls.acting_as(rls.PLATFORM):
            photo = Photo.objects.create(
                restaurant=cast.restaurant, width=720, height=540, widths=[720]
            )
            type(special).objects.filter(pk=special.pk).update(photo=photo)
        page = owner.get(f"{self.NEW}?special={special.pk}").content.decode()
        [address] = re.findall(r'<img [^>]*src="([^"]+)" alt="Osso buco"', page)
        assert address.startswith("/")

    def test_an_earlier_email_about_the_special_is_named_and_a_stopped_one_is_not(
        self, owner: Any, cast: Cast, special: Any
    ) -> None:
        followers(cast.restaurant, 1)
        new, about = f"{self.NEW}?special={special.pk}", "about this special already"
        assert about not in text_of(owner.get(new))
        post(owner, self.NEW, do="send", segment="all", special=str(special.pk))
        with rls.acting_as(rls.PLATFORM):
            campaign = Campaign.objects.get()
        page = owner.get(new)
        assert f"There is an email {about}" in text_of(page)
        assert f"{PAGE}/emails/{campaign.pk}" in page.content.decode()
        assert about not in text_of(owner.get(self.NEW))
        post(owner, f"{PAGE}/emails/{campaign.pk}/stop")
        assert about not in text_of(owner.get(new))

    def test_a_subject_cannot_end_its_header(
        self, owner: Any, cast: Cast, special: Any, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 1)
        post(owner, self.NEW, do="send", segment="all", subject="Hi\r\nBcc: a@b.test")
        run(run_tasks)
        assert mail.outbox[0].subject == "Hi Bcc: a@b.test"
        assert mail.outbox[0].bcc == []

    def test_a_test_goes_to_who_asks_and_to_nobody_else(
        self, owner: Any, cast: Cast, special: Any
    ) -> None:
        followers(cast.restaurant, 2)
        page = post(owner, self.NEW, do="test", segment="all", special=str(special.pk))
        assert "We sent a test to owner@luigis.test." in text_of(page)
        assert [each.to for each in mail.outbox] == [["owner@luigis.test"]]
        with rls.acting_as(rls.PLATFORM):
            assert not Campaign.objects.exists()

    @pytest.mark.parametrize(
        ("sent", "says"),
        [
            ({"segment": "everyone"}, "Choose who gets this email."),
            ({"special": "x"}, "Choose one of your specials."),
            ({"send_at": "soon"}, "Choose a day and a time"),
            ({"send_at": "2020-01-01T10:00"}, "Choose a time in the future."),
            ({"segment": "ordered"}, "Nobody would get this email."),
            ({"subject": "x" * 121}, "Use at most 120 characters."),
        ],
    )
    def test_what_does_not_fit_is_named_and_nothing_is_scheduled(
        self, owner: Any, cast: Cast, special: Any, sent: dict[str, str], says: str
    ) -> None:
        followers(cast.restaurant, 1)
        page = post(owner, self.NEW, **{"do": "send", "segment": "all", **sent})
        assert page.status_code in (400, 409)
        assert says in text_of(page)
        with rls.acting_as(rls.PLATFORM):
            assert not Campaign.objects.exists()

    def test_a_time_is_the_restaurants_own(self, owner: Any, cast: Cast, special: Any) -> None:
        followers(cast.restaurant, 1)
        post(owner, self.NEW, do="send", segment="all", send_at="2027-03-22T18:30")
        with rls.acting_as(rls.PLATFORM):
            assert Campaign.objects.get().send_at == NOON + timedelta(hours=6, minutes=30)

    def test_without_an_open_special_there_is_nothing_to_announce(
        self, owner: Any, cast: Cast
    ) -> None:
        followers(cast.restaurant, 1)
        assert "Publish one first" in text_of(owner.get(self.NEW))
        page = post(owner, self.NEW, do="send", segment="all")
        assert page.status_code == 409

    def test_without_an_address_the_composer_says_where_to_add_one(
        self, owner: Any, cast: Cast, special: Any
    ) -> None:
        followers(cast.restaurant, 1)
        with rls.acting_as(rls.PLATFORM):
            Restaurant.objects.filter(pk=cast.restaurant.pk).update(street_address="")
        assert "Your address is missing" in text_of(owner.get(self.NEW))
        page = post(owner, self.NEW, do="send", segment="all")
        assert page.status_code == 409
        assert "street and city" in text_of(page)

    def test_the_page_of_an_email_counts_what_came_of_it_and_stops_it(
        self, owner: Any, api: Any, cast: Cast, special: Any, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 2)
        PreOrderFactory(offer=special, customer_email="guest1@example.test")
        post(owner, self.NEW, do="send", segment="ordered", send_at="2027-03-22T18:30")
        with rls.acting_as(rls.PLATFORM):
            campaign = Campaign.objects.get()
        path = f"{PAGE}/emails/{campaign.pk}"
        assert "Scheduled" in text_of(owner.get(path))
        assert api(cast.outsider).get(path).status_code == 302
        post(owner, f"{path}/stop")
        assert "Canceled" in text_of(owner.get(path))
        assert kinds() == ["campaign_scheduled", "campaign_canceled"]
        assert "1 email" not in text_of(owner.get(PAGE))

    def test_pages_cost_the_same_for_one_follower_and_for_many(
        self, owner: Any, cast: Cast, special: Any, django_assert_max_num_queries: Any
    ) -> None:
        followers(cast.restaurant, 50)
        for path in (PAGE, self.NEW):
            owner.get(path)
            with django_assert_max_num_queries(25):
                assert owner.get(path).status_code == 200
