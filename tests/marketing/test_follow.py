"""Following a restaurant from a public page: one field, one email, one tap."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from apps.billing.models import ConnectAccount
from apps.common import formats, rls
from apps.marketing.tasks import send_due_confirmations_task
from apps.offers.images import photo_address
from apps.offers.models import Photo
from apps.offers.states import OfferStatus
from apps.preorders.emails.preferences import set_email_preference
from apps.preorders.models import Subscriber
from apps.privacy.retention import RULES
from tests.conftest import Cast, Clock
from tests.factories import SpecialOfferFactory
from tests.pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
DANA = "dana@example.test"
WORDS = "Luigi's emails you about new and returning specials. You can unsubscribe anytime."
Status = Subscriber.Status


def follow(client: Any, path: str = "/follow", site: str = "same-origin", **sent: str) -> Any:
    return client.post(
        path,
        urlencode({"email": DANA, "website": "", **sent}),
        "application/x-www-form-urlencoded",
        headers={"Sec-Fetch-Site": site},
    )


def stored(restaurant: Any = None) -> Subscriber:
    with rls.acting_as(rls.PLATFORM):
        return Subscriber.objects.select_related("restaurant", "wanted_offer").get()


def prune_unconfirmed(clock: Clock) -> None:
    (rule,) = (each for each in RULES if each.data.startswith("Addresses typed"))
    with rls.acting_as(rls.PLATFORM):
        rule.treat(rule.find(clock.now), clock.now)


def subscribe(cast: Cast, clock: Clock) -> None:
    with rls.acting_as(cast.restaurant):
        set_email_preference(
            restaurant_id=cast.restaurant.pk, address=DANA, news=True, now=clock.now
        )


def link_in(message: Any) -> str:
    found = re.search(r"https?://\S+/follow/\S+", message.body)
    assert found
    return urlsplit(found.group()).path


@pytest.fixture
def guest(api: Any, cast: Cast) -> Any:
    return api(at=cast.restaurant)


class TestAsking:
    def test_an_address_waits_for_its_own_yes_with_the_proof_of_the_request(
        self, guest: Any, cast: Cast, run_tasks: Any, clock: Clock
    ) -> None:
        page = follow(guest, email="Dana@Example.TEST")
        assert "Check your inbox We sent an email to Dana@Example.TEST ." in text_of(page)
        row = stored()
        assert (row.email, row.status, row.source) == (DANA, Status.PENDING, "follow")
        assert (row.consent_at, row.consent_words) == (clock.now, WORDS)
        assert row.consent_context == "http://luigis.localhost:8000/follow"
        run_tasks()
        (message,) = mail.outbox
        assert message.to == [DANA]
        assert message.subject == "Confirm that you want emails from Luigi's"
        assert "You asked Luigi's to email you about new and returning specials." in message.body
        assert "\nConfirm:\nhttp" in message.body
        assert "Luigi's" in message.from_email
        assert stored().status == Status.PENDING

    def test_opening_the_link_changes_nothing_and_the_button_subscribes(
        self, guest: Any, api: Any, cast: Cast, run_tasks: Any, clock: Clock
    ) -> None:
        follow(guest)
        run_tasks()
        guest = api(at=cast.restaurant)  # as an email program, or in another browser
        link = link_in(mail.outbox[0])
        asked_at = clock.now
        clock.advance(hours=3)
        assert "One last step Should Luigi's email you" in text_of(guest.get(link))
        assert stored().status == Status.PENDING
        for _ in range(2):
            assert "You're on the list" in text_of(guest.post(link))
        row = stored()
        assert row.status == Status.CONFIRMED
        assert row.confirmed_at == clock.now
        assert row.consent_words == WORDS
        assert row.consent_at is not None
        assert row.consent_at >= asked_at

    def test_the_browser_that_asked_subscribes_by_opening_the_link(
        self, guest: Any, run_tasks: Any
    ) -> None:
        answer = follow(guest)
        [cookie] = answer.cookies.values()
        assert (cookie["path"], cookie["httponly"], cookie["max-age"]) == ("/follow", True, 1209600)
        assert cookie["samesite"] == "Lax"
        assert DANA not in cookie.value
        run_tasks()
        link = link_in(mail.outbox[0])
        guest.get(link, headers={"Sec-Purpose": "prefetch"})
        guest.head(link)
        assert stored().status == Status.PENDING
        confirmed = guest.get(link)
        assert "You're on the list" in text_of(confirmed)
        assert 'data-follows="/follow "' in confirmed.text  # remembered on the device
        assert stored().status == Status.CONFIRMED
        [cookie] = confirmed.cookies.values()
        assert (cookie.value, cookie["path"], cookie["max-age"]) == ("", "/follow", 0)

    def test_the_browser_that_asked_for_another_address_is_asked(
        self, guest: Any, run_tasks: Any
    ) -> None:
        follow(guest)
        run_tasks()
        follow(guest, email="other@example.test")
        assert "One last step" in text_of(guest.get(link_in(mail.outbox[0])))
        with rls.acting_as(rls.PLATFORM):
            assert not Subscriber.objects.filter(status=Status.CONFIRMED).exists()

    def test_the_browser_that_asked_another_restaurant_is_asked(
        self, guest: Any, api: Any, cast: Cast, run_tasks: Any
    ) -> None:
        mark = follow(api(at=cast.other)).cookies
        with rls.acting_as(rls.PLATFORM):
            Subscriber.objects.all().delete()
        run_tasks()
        mail.outbox.clear()
        follow(guest)
        run_tasks()
        other = api(at=cast.restaurant)
        other.cookies = mark
        assert "One last step" in text_of(other.get(link_in(mail.outbox[0])))
        assert stored().status == Status.PENDING

    def test_a_made_up_mark_is_asked(
        self, guest: Any, api: Any, cast: Cast, run_tasks: Any
    ) -> None:
        [name] = follow(guest).cookies
        run_tasks()
        other = api(at=cast.restaurant)
        for made_up in ("", "0" * 64, DANA):
            other.cookies[name] = made_up
            assert "One last step" in text_of(other.get(link_in(mail.outbox[0])))
        assert stored().status == Status.PENDING

    @pytest.mark.parametrize("status", [OfferStatus.FAILED, OfferStatus.DELETED])
    def test_the_special_asked_for_is_remembered_and_named(
        self, guest: Any, api: Any, cast: Cast, run_tasks: Any, status: OfferStatus
    ) -> None:
        special = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco", status=status)
        sent = text_of(follow(guest, special=str(special.pk)))
        promise = "when Osso buco is back, and about other new and returning specials"
        assert f"inbox Osso buco {formats.day(special.serve_date)}" in sent
        assert f"to confirm, and Luigi's will tell you {promise}." in sent
        assert stored().wanted_offer == special
        run_tasks()
        (message,) = mail.outbox
        page = text_of(api(at=cast.restaurant).get(link_in(message)))
        assert "One last step Osso buco" in page
        assert f"Should Luigi's email you {promise}? You can unsubscribe anytime." in page
        confirmed = guest.get(link_in(message))
        assert f"You're on the list Luigi's will email you {promise}." in text_of(confirmed)
        assert '<div class="notice notice-herb">' in confirmed.text
        assert 'class="button" href="/specials">See the specials</a>' in confirmed.text
        assert f'data-follows="/follow {special.pk}"' in confirmed.text
        assert "Order by" not in page
        assert isinstance(message, EmailMultiAlternatives)
        assert f"You asked Luigi's to email you {promise}." in message.body
        assert "<img" not in str(message.alternatives[0][0])  # it has no photo

    def test_of_a_special_that_opens_later_nothing_is_said_to_come_back(
        self, guest: Any, cast: Cast, run_tasks: Any
    ) -> None:
        with rls.acting_as(rls.PLATFORM):
            ConnectAccount.objects.update(charges_enabled=False)
        special = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
        page = follow(guest, special=str(special.pk))
        promise = "when you can order Osso buco, and about other new and returning specials."
        assert promise in text_of(page)
        zone = cast.restaurant.zone
        day, closes = formats.day(special.serve_date), formats.moment(special.deadline, zone)
        closes_later = f"Pre-orders open soon and close {closes}."
        assert re.search(rf"inbox Osso buco {day}.* {closes_later}", text_of(page))
        assert f'<a class="button" href="/specials/{special.pk}">See the special</a>' in page.text
        run_tasks()
        (message,) = mail.outbox
        assert "to email you when you can order Osso buco, and about other new" in message.body
        assert "is back" not in message.body
        assert closes_later in text_of(guest.get(link_in(message)))
        page = guest.post(link_in(message))
        assert promise in text_of(page)
        assert closes_later in text_of(page)
        assert f'<a class="button" href="/specials/{special.pk}">See the special</a>' in page.text

    def test_a_wrong_address_is_refused_beside_the_dish_that_was_asked_for(
        self, guest: Any, cast: Cast
    ) -> None:
        special = SpecialOfferFactory(
            restaurant=cast.restaurant, name="Osso buco", status=OfferStatus.FAILED
        )
        page = follow(guest, email="dana@wrong", special=str(special.pk))
        assert page.status_code == 400
        assert f'href="/specials/{special.pk}">Osso buco</a>' in page.text
        assert "Tell me when it's back" in text_of(page)
        assert f'name="special" value="{special.pk}"' in page.text

    def test_a_special_that_can_be_ordered_is_no_wish(
        self, guest: Any, cast: Cast, run_tasks: Any
    ) -> None:
        special = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
        page = follow(guest, special=str(special.pk))
        assert "when you can order" not in text_of(page)
        assert stored().wanted_offer is None
        assert stored().consent_context.endswith(f"/specials/{special.pk}")

    def test_the_email_shows_the_special_by_its_name_in_the_followers_language(
        self, guest: Any, cast: Cast, run_tasks: Any
    ) -> None:
        with rls.acting_as(rls.PLATFORM):
            photo = Photo.objects.create(
                restaurant=cast.restaurant, width=720, height=540, widths=[720]
            )
        special = SpecialOfferFactory(
            restaurant=cast.restaurant,
            name="Osso buco",
            translations={"es": {"name": "Osobuco"}},
            photo=photo,
            status=OfferStatus.FAILED,
        )
        follow(guest, special=str(special.pk))
        with rls.acting_as(rls.PLATFORM):
            Subscriber.objects.update(language="es")
        run_tasks()
        (message,) = mail.outbox
        assert isinstance(message, EmailMultiAlternatives)
        assert "cuando vuelva Osobuco" in message.body
        assert "Osso buco" not in message.body
        shown = str(message.alternatives[0][0])
        assert f'src="{photo_address(photo, cast.restaurant)}"' in shown
        assert 'alt="Osobuco"' in shown

    def test_another_restaurants_special_is_not_remembered(
        self, guest: Any, cast: Cast, run_tasks: Any
    ) -> None:
        follow(guest, special=str(SpecialOfferFactory(restaurant=cast.other).pk))
        assert stored().wanted_offer is None

    def test_the_page_answers_the_same_to_an_address_that_follows_already(
        self, guest: Any, cast: Cast, run_tasks: Any, clock: Clock
    ) -> None:
        new = text_of(follow(guest, email="new@example.test"))
        with rls.acting_as(cast.restaurant):
            Subscriber.objects.all().delete()
        subscribe(cast, clock)
        run_tasks()
        mail.outbox.clear()
        assert text_of(follow(guest)) == new.replace("new@example.test", DANA)
        run_tasks()
        [message] = mail.outbox
        assert message.subject == "You already get emails from Luigi's"
        assert "Luigi's will email you about new and returning specials." in message.body
        assert stored().status == Status.CONFIRMED

    @pytest.mark.parametrize(
        ("status", "when"),
        [
            (OfferStatus.FAILED, "when Osso buco is back"),
            (OfferStatus.DELETED, "when Osso buco is back"),
            (OfferStatus.ACTIVE, "when you can order Osso buco"),
        ],
    )
    def test_an_address_that_follows_is_emailed_that_the_dish_is_remembered(
        self,
        guest: Any,
        cast: Cast,
        run_tasks: Any,
        clock: Clock,
        status: OfferStatus,
        when: str,
    ) -> None:
        subscribe(cast, clock)
        with rls.acting_as(rls.PLATFORM):
            ConnectAccount.objects.update(charges_enabled=False)
        special = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco", status=status)
        clock.advance(minutes=1)
        follow(guest, special=str(special.pk))
        for _ in range(2):
            run_tasks()
            clock.advance(minutes=5)
            send_due_confirmations_task()
        [message] = mail.outbox
        assert message.subject == f"We'll email you {when}"
        said = f"email you {when}, and about other new and returning specials. There's nothing to"
        assert said in message.body
        assert "\nSee the specials:\nhttp" in message.body
        assert "/follow/" not in message.body
        assert f"/email-preferences/{stored().pk}?stop=news" in message.body
        assert (stored().status, stored().wanted_offer) == (Status.CONFIRMED, special)

    def test_who_unsubscribed_is_asked_again_and_stays_unsubscribed_without_a_yes(
        self, guest: Any, cast: Cast, run_tasks: Any, clock: Clock
    ) -> None:
        with rls.acting_as(cast.restaurant):
            for news in (True, False):
                set_email_preference(
                    restaurant_id=cast.restaurant.pk, address=DANA, news=news, now=clock.now
                )
        follow(guest)
        run_tasks()
        assert len(mail.outbox) == 1
        clock.advance(days=15)
        prune_unconfirmed(clock)
        assert stored().status == Status.UNSUBSCRIBED
        assert guest.post(link_in(mail.outbox[0])).status_code == 404
        assert stored().status == Status.UNSUBSCRIBED

    def test_who_reported_spam_is_never_asked_again(
        self, guest: Any, cast: Cast, run_tasks: Any, clock: Clock
    ) -> None:
        with rls.acting_as(cast.restaurant):
            Subscriber.objects.create(
                restaurant=cast.restaurant,
                email=DANA,
                status=Status.SUPPRESSED,
                suppressed_for="complaint",
                changed_at=clock.now,
            )
        assert "Check your inbox" in text_of(follow(guest))
        run_tasks()
        assert mail.outbox == []

    def test_an_address_nobody_confirmed_is_forgotten_after_two_weeks(
        self, guest: Any, run_tasks: Any, clock: Clock
    ) -> None:
        follow(guest)
        clock.advance(days=13)
        prune_unconfirmed(clock)
        assert stored().status == Status.PENDING
        clock.advance(days=2)
        prune_unconfirmed(clock)
        with rls.acting_as(rls.PLATFORM):
            assert not Subscriber.objects.exists()

    @pytest.mark.parametrize("typed", ["", "dana", "dana@", f"{'a' * 250}@x.test", "d\0@x.test"])
    def test_what_is_no_address_is_refused_and_nothing_stored(
        self, guest: Any, run_tasks: Any, typed: str
    ) -> None:
        page = follow(guest, email=typed)
        assert page.status_code == 400
        assert "Enter a valid email address." in text_of(page)
        with rls.acting_as(rls.PLATFORM):
            assert not Subscriber.objects.exists()

    def test_a_program_that_fills_every_field_is_thanked_and_ignored(
        self, guest: Any, run_tasks: Any
    ) -> None:
        assert "Check your inbox" in text_of(follow(guest, website="https://spam.test"))
        with rls.acting_as(rls.PLATFORM):
            assert not Subscriber.objects.exists()

    def test_another_sites_form_is_refused(self, guest: Any) -> None:
        answer = follow(guest, site="cross-site")
        assert answer.status_code == 403
        with rls.acting_as(rls.PLATFORM):
            assert not Subscriber.objects.exists()

    def test_an_address_is_asked_five_times_an_hour_at_most(
        self, guest: Any, run_tasks: Any
    ) -> None:
        answers = [follow(guest).status_code for _ in range(6)]
        assert answers == [200] * 5 + [429]


class TestTheLink:
    def test_a_link_of_another_restaurant_or_a_made_up_one_is_not_there(
        self, guest: Any, api: Any, cast: Cast, run_tasks: Any
    ) -> None:
        follow(guest)
        run_tasks()
        link = link_in(mail.outbox[0])
        assert api(at=cast.other).post(link).status_code == 404
        assert guest.post(link[:-3] + "abc").status_code == 404
        assert stored().status == Status.PENDING

    def test_a_link_works_for_whoever_subscribed_in_another_way_since(
        self, guest: Any, cast: Cast, run_tasks: Any, clock: Clock
    ) -> None:
        follow(guest)
        run_tasks()
        subscribe(cast, clock)
        assert stored().source == "preferences"
        assert "You're on the list" in text_of(guest.get(link_in(mail.outbox[0])))

    def test_the_email_is_sent_once_though_its_task_runs_twice_or_is_lost(
        self, guest: Any, run_tasks: Any, clock: Clock
    ) -> None:
        follow(guest)
        run_tasks.waiting.clear()
        clock.advance(seconds=30)
        for _ in range(2):
            send_due_confirmations_task()
            run_tasks()
        assert len(mail.outbox) == 1
        clock.advance(minutes=10)
        send_due_confirmations_task()
        run_tasks()
        assert len(mail.outbox) == 1

    def test_an_email_server_that_is_down_gets_the_email_later(
        self, guest: Any, run_tasks: Any, clock: Clock, monkeypatch: Any
    ) -> None:
        send = EmailMultiAlternatives.send

        def refuse(message: Any) -> None:
            raise ConnectionRefusedError

        follow(guest)
        monkeypatch.setattr(EmailMultiAlternatives, "send", refuse)
        run_tasks()
        monkeypatch.setattr(EmailMultiAlternatives, "send", send)
        assert mail.outbox == []
        clock.advance(minutes=3)
        send_due_confirmations_task()
        run_tasks()
        assert len(mail.outbox) == 1


class TestClosedPages:
    def closed(self, cast: Cast, clock: Clock, **columns: Any) -> Any:
        return SpecialOfferFactory(restaurant=cast.restaurant, name="Cassoulet", **columns)

    def test_a_failed_special_offers_to_tell_and_the_next_two_specials(
        self, guest: Any, cast: Cast, clock: Clock
    ) -> None:
        for number in range(3):
            SpecialOfferFactory(
                restaurant=cast.restaurant,
                name=f"Next {number}",
                deadline=clock.now + timedelta(days=number + 2),
            )
        over = self.closed(
            cast, clock, status=OfferStatus.FAILED, deadline=clock.now - timedelta(hours=1)
        )
        page = text_of(guest.get(f"/specials/{over.pk}"))
        assert "Tell me when it's back" in page
        assert ["Next 0" in page, "Next 1" in page, "Next 2" in page] == [True, True, False]

    def test_a_sold_out_special_offers_both_waitlist_and_following(
        self, guest: Any, cast: Cast, clock: Clock
    ) -> None:
        full = self.closed(cast, clock, max_preorders=3, ordered_portions=3, reserved_portions=3)
        page = text_of(guest.get(f"/specials/{full.pk}"))
        assert "Join the waitlist" in page
        assert "Tell me when it's back" in page

    def test_an_open_special_does_not_ask(self, guest: Any, cast: Cast, clock: Clock) -> None:
        page = text_of(guest.get(f"/specials/{self.closed(cast, clock).pk}"))
        assert "Tell me when" not in page

    @pytest.mark.parametrize(
        ("path", "words"),
        [
            ("/specials", "Or leave your email to hear about new specials."),
            ("/specials/none-of-ours", "Tell me about new specials"),
            ("/no-such-page", "Tell me about new specials"),
            ("/follow", "Tell me about new specials"),
        ],
    )
    def test_an_empty_list_and_every_404_of_a_restaurant_ask(
        self, guest: Any, path: str, words: str
    ) -> None:
        page = guest.get(path)
        assert words in text_of(page)
        assert 'action="/follow"' in page.content.decode()

    def test_on_the_platforms_host_the_form_names_the_restaurant(
        self, api: Any, cast: Cast, run_tasks: Any
    ) -> None:
        path = f"/follow?rid={cast.restaurant.pk}"
        assert f'action="{path}"' in api().get(path).content.decode()
        follow(api(), path)
        assert stored().restaurant == cast.restaurant
        assert api().get("/follow").status_code == 404
