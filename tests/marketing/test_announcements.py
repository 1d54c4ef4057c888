"""Announcing specials: /api/announcements… and the owner's copy (X57)."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from celery.exceptions import Retry
from django.core import mail

from apps.marketing.models import Announcement
from apps.marketing.tasks import send_courtesy_copy_task
from apps.restaurants.models import Membership, Restaurant
from tests.conftest import NOON
from tests.factories import SpecialOfferFactory
from tests.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
GENERATE = "/api/announcements/generate"
POST = "/api/announcements/post"
COPY = "/api/send-announcement-courtesy-copy"
LINKS = {
    "facebook": "https://facebook.com/luigis",
    "instagram": "https://instagram.com/luigis",
    "twitter": "https://twitter.com/luigis",
}


@pytest.fixture
def linked(cast):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(social_media_links=LINKS)
    return cast.restaurant


@pytest.fixture
def owner(api, cast):
    return api(cast.owner)


def stored():
    return list(Announcement.objects.order_by("created_at", "message"))


class TestGenerating:
    def test_all_that_is_open_is_announced(self, owner, cast, platform):
        SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
        SpecialOfferFactory(restaurant=cast.restaurant, name="Risotto")
        SpecialOfferFactory(restaurant=cast.restaurant, name="Gone", status="deleted")
        SpecialOfferFactory(
            restaurant=cast.restaurant, name="Over", deadline=NOON - timedelta(minutes=1)
        )
        SpecialOfferFactory(restaurant=cast.other, name="Theirs")
        answer = owner.post(GENERATE, {"offerIds": []})
        assert answer.status_code == 200
        text = answer.json()["message"]
        assert text.startswith("2 specials at Luigi's")
        assert ("Osso buco" in text, "Risotto" in text) == (True, True)
        assert not {"Gone", "Over", "Theirs"} & set(text.replace(",", " ").split())
        assert stored() == []

    def test_only_the_chosen_specials_are_announced(self, owner, cast, platform):
        wanted = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
        SpecialOfferFactory(restaurant=cast.restaurant, name="Risotto")
        text = owner.post(GENERATE, {"offerIds": [str(wanted.pk)]}).json()["message"]
        assert text.startswith("New: Osso buco at Luigi's for $24.00")
        assert text.endswith(f"/specials/{wanted.pk}")

    def test_another_restaurants_special_is_not_announced(self, owner, cast, platform):
        theirs = SpecialOfferFactory(restaurant=cast.other)
        answer = owner.post(GENERATE, {"offerIds": [str(theirs.pk)]})
        assert answer.status_code == 409

    def test_an_owner_without_an_open_special_is_told_what_to_do(self, owner):
        answer = owner.post(GENERATE, {"offerIds": []})
        assert answer.status_code == 409
        assert answer.json()["message"] == (
            "Create some special offers first, then generate your announcement message."
        )

    def test_what_is_sold_out_is_left_out(self, owner, cast, platform):
        sold = {"max_preorders": 3, "reserved_portions": 3, "ordered_portions": 3}
        SpecialOfferFactory(restaurant=cast.restaurant, name="Sold", **sold)
        answer = owner.post(GENERATE, {"offerIds": []})
        assert (answer.status_code, answer.json()["message"]) == (
            409,
            "All your specials are sold out. Create another one, then announce it.",
        )
        SpecialOfferFactory(restaurant=cast.restaurant, name="Risotto")
        assert "Sold" not in owner.post(GENERATE, {"offerIds": []}).json()["message"]

    @pytest.mark.parametrize("ids", [None, "x", ["7"], [None], {"a": 1}])
    def test_what_is_no_list_of_ids_is_refused(self, owner, ids):
        answer = owner.post(GENERATE, {"offerIds": ids})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"].startswith("offerIds")

    def test_an_owner_chooses_tone_and_language(self, owner, cast, platform):
        SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
        answer = owner.post(GENERATE, {"offerIds": [], "tone": "lively", "language": "es"})
        assert answer.json()["message"].startswith("¿Quién tiene hambre? Osso buco en Luigi's")

    def test_spanish_names_the_dish_in_spanish(self, owner, cast, platform):
        SpecialOfferFactory(
            restaurant=cast.restaurant, name="Osso buco", translations={"es": {"name": "Osobuco"}}
        )
        answer = owner.post(GENERATE, {"offerIds": [], "language": "es"})
        assert "Osobuco" in answer.json()["message"]
        assert "Osso buco" not in answer.json()["message"]

    @pytest.mark.parametrize(("field", "value"), [("tone", "rude"), ("language", "xx")])
    def test_a_tone_or_language_that_we_do_not_write_is_refused(self, owner, field, value):
        answer = owner.post(GENERATE, {"offerIds": [], field: value})
        assert answer.status_code == 400
        assert [each["field"] for each in answer.json()["errors"]] == [field]

    def test_generating_sends_three_statements_for_any_number_of_offers(
        self, owner, cast, platform, django_assert_num_queries
    ):
        SpecialOfferFactory.create_batch(10, restaurant=cast.restaurant)
        owner.post(GENERATE, {"offerIds": []})
        with django_assert_num_queries(3):
            owner.post(GENERATE, {"offerIds": []})


class TestPosting:
    def post(self, client, message="Osso buco on Friday", **body):
        return client.post(POST, {"message": message, **body})

    def results(self, answer):
        assert answer.status_code == 200, answer.content
        return {each["platform"]: each for each in answer.json()["results"]}

    def test_each_platform_gets_its_composer(self, owner, cast, linked, platform):
        offer = SpecialOfferFactory(restaurant=cast.restaurant)
        link = f"http://luigis.localhost/specials/{offer.pk}"
        text = f"Osso buco & more\n\n{link}"
        found = self.results(self.post(owner, text, platforms=[]))
        assert list(found) == ["facebook", "instagram", "twitter"]
        assert all(each["success"] for each in found.values())
        assert found["twitter"]["message"] == "Twitter opened with your text."
        tweet = urlsplit(found["twitter"]["url"])
        assert (tweet.netloc, tweet.path) == ("x.com", "/intent/tweet")
        assert parse_qs(tweet.query) == {"text": [text]}
        share = urlsplit(found["facebook"]["url"])
        assert share.netloc == "www.facebook.com"
        assert parse_qs(share.query) == {"u": [link]}
        # By hand: the text to paste, and the restaurant's own page to paste it on.
        assert found["instagram"]["url"] == "https://instagram.com/luigis"
        assert found["instagram"]["text"] == text
        [announcement] = stored()
        assert announcement.restaurant == cast.restaurant
        assert announcement.message == text
        assert announcement.special_offer_ids == [str(offer.pk)]
        assert announcement.platforms == ["facebook", "instagram", "twitter"]
        assert (announcement.created_by, announcement.created_at) == (cast.owner, NOON)

    def test_an_owner_without_links_is_told_where_to_add_one(self, owner, cast, platform):
        answer = self.post(owner, platforms=["twitter"])
        assert (answer.status_code, answer.json()["message"]) == (
            409,
            "Set up your social media links in the Marketing section first.",
        )
        assert stored() == []

    def test_a_platform_without_a_link_fails_alone(self, owner, cast, platform):
        links = {"twitter": LINKS["twitter"]}
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(social_media_links=links)
        found = self.results(self.post(owner, platforms=["facebook", "twitter"]))
        assert found["facebook"] == {
            "platform": "facebook",
            "success": False,
            "message": "Add your Facebook link in the Marketing section first.",
            "url": "",
            "text": "",
        }
        assert found["twitter"]["success"]
        assert stored()[0].platforms == ["twitter"]

    def test_twitter_takes_280_characters(self, owner, linked, platform):
        found = self.results(self.post(owner, "x" * 281, platforms=["twitter"]))
        assert found["twitter"]["success"] is False
        assert "281 characters" in found["twitter"]["message"]
        assert found["twitter"]["url"] == ""
        assert stored() == []
        short = self.results(
            self.post(owner, "x" * 281, shortMessage="In short", platforms=["twitter"])
        )
        assert parse_qs(urlsplit(short["twitter"]["url"]).query) == {"text": ["In short"]}
        assert stored()[0].message == "x" * 281

    def test_the_same_text_is_the_same_announcement(self, owner, linked, platform):
        self.post(owner, platforms=["twitter"])
        self.post(owner, platforms=["facebook"])
        self.post(owner, platforms=["twitter"])
        [announcement] = stored()
        assert announcement.platforms == ["twitter", "facebook"]

    @pytest.mark.django_db(transaction=True)
    def test_two_presses_at_once_keep_one(self, api, cast, linked, platform):
        pressed = [(api(cast.owner), name) for name in ("twitter", "facebook", "twitter")]
        answers = at_once(
            *[lambda c=c, name=name: self.post(c, platforms=[name]) for c, name in pressed]
        )
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert set(stored()[0].platforms) == {"twitter", "facebook"}
        assert len(stored()) == 1

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"message": ""}, "message"),
            ({"message": " \n "}, "message"),
            ({"message": None}, "message"),
            ({"message": "x" * 2001}, "message"),
            ({"message": "x", "platforms": ["myspace"]}, "platforms"),
            ({"message": "x", "platforms": "twitter"}, "platforms"),
            ({"message": "x", "shortMessage": "x" * 2001}, "shortMessage"),
        ],
    )
    def test_what_cannot_be_posted_is_refused(self, owner, linked, platform, body, field):
        answer = owner.post(POST, body)
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"].startswith(field)
        assert stored() == []

    def test_what_was_announced_is_listed_newest_first(self, owner, cast, linked, clock):
        self.post(owner, "First", platforms=["twitter"])
        clock.advance(minutes=1)
        self.post(owner, "Second", platforms=["facebook"])
        answer = owner.get("/api/announcements").json()
        assert [each["message"] for each in answer["announcements"]] == ["Second", "First"]
        assert answer["platforms"] == [
            {"platform": "facebook", "label": "Facebook", "url": LINKS["facebook"]},
            {"platform": "instagram", "label": "Instagram", "url": LINKS["instagram"]},
            {"platform": "twitter", "label": "Twitter", "url": LINKS["twitter"]},
        ]

    def test_an_owner_does_not_see_another_restaurants_announcements(
        self, owner, api, cast, linked
    ):
        self.post(owner, "Ours", platforms=["twitter"])
        theirs = api(cast.outsider).get("/api/announcements").json()
        assert theirs["announcements"] == []
        assert {each["url"] for each in theirs["platforms"]} == {""}


class TestTheOwnersCopy:
    def ask(self, client, text="Osso buco on Friday.\nBook now: http://x.test/1", **body):
        return client.post(COPY, {"announcementMessage": text, **body})

    def test_the_owner_gets_the_text_word_for_word(self, owner, cast, run_tasks, platform):
        answer = self.ask(owner, platformsUsed=["twitter", "facebook"])
        assert answer.status_code == 200
        assert answer.json() == {"message": "We're emailing a copy to owner@luigis.test."}
        assert mail.outbox == []
        run_tasks()
        [email] = mail.outbox
        assert email.to == ["owner@luigis.test"]
        assert email.subject == "Your announcement for Luigi's"
        assert "> Osso buco on Friday.\n\n> Book now: http://x.test/1\n" in email.body
        assert "Twitter, Facebook" in email.body
        assert stored()[0].courtesy_copy_at == NOON

    def test_a_manager_sends_it_to_the_owner_too(self, api, cast, run_tasks):
        self.ask(api(cast.manager))
        run_tasks()
        assert [email.to for email in mail.outbox] == [["owner@luigis.test"]]

    def test_the_owners_copy_is_sent_once_for_each_announcement(self, owner, run_tasks):
        self.ask(owner)
        self.ask(owner)
        run_tasks()
        again = self.ask(owner)
        run_tasks()
        assert again.json()["message"] == (
            "We've already emailed a copy of this announcement to owner@luigis.test."
        )
        assert len(mail.outbox) == 1
        self.ask(owner, "Another text")
        run_tasks()
        assert len(mail.outbox) == 2

    def test_a_copy_that_could_not_be_sent_is_tried_again(
        self, owner, run_tasks, platform, monkeypatch
    ):
        def broken(*args, **kwargs):
            raise OSError("the email server is away")

        self.ask(owner)
        with monkeypatch.context() as patch:
            patch.setattr("apps.marketing.emails.send_courtesy_copy", broken)
            with pytest.raises(Retry):
                run_tasks()
        [announcement] = stored()
        assert (mail.outbox, announcement.courtesy_copy_at) == ([], None)
        send_courtesy_copy_task(str(announcement.pk))
        send_courtesy_copy_task(str(announcement.pk))
        assert len(mail.outbox) == 1

    def test_a_copy_without_an_owner_to_send_it_to_is_refused(self, api, cast, platform):
        Membership.objects.filter(restaurant=cast.restaurant, role="owner").delete()
        answer = self.ask(api(cast.manager))
        assert answer.status_code == 409
        assert stored() == []

    @pytest.mark.parametrize("text", ["", "  ", None, "x" * 2001])
    def test_a_copy_of_nothing_is_refused(self, owner, platform, text):
        answer = self.ask(owner, text)
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "announcementMessage"
        assert stored() == []
