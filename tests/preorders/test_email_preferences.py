"""The page that an email's footer links to, the form on the order's page, and the opt-in."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest

from apps.common import rls
from apps.offers.states import OfferStatus
from apps.preorders.core.links import order_token
from apps.preorders.emails.preferences import Topic, set_email_preference
from apps.preorders.emails.views import preferences_of
from apps.preorders.models import PreOrder, Subscriber
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from tests.conftest import NOON, Cast, Clock
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.pages import text_of
from tests.preorders.access import allow

pytestmark = pytest.mark.usefixtures("clock")

DANA = "dana@example.test"
HERE, THERE = {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "cross-site"}


def send(client: Any, path: str, sent: dict[str, Any], headers: dict[str, str] = HERE) -> Any:
    """Post a form as a browser without scripts does."""
    return client.post(path, urlencode(sent), "application/x-www-form-urlencoded", headers=headers)


@pytest.fixture
def order(special: Any) -> Any:
    return PreOrderFactory(offer=special)


@pytest.fixture
def choice(order: Any, cast: Cast, platform: None) -> Subscriber:
    return set_email_preference(restaurant_id=cast.restaurant.pk, address=DANA, news=True, now=NOON)


def stored() -> tuple[bool, bool]:
    with rls.acting_as(rls.PLATFORM):
        choice = Subscriber.objects.get()
    return choice.news, choice.reminders


class TestTheLinksPage:
    def test_opening_the_link_changes_nothing(self, guest: Any, choice: Subscriber) -> None:
        page = guest.get(f"/email-preferences/{choice.pk}?stop=news")
        assert "Unsubscribe from news from Luigi's?" in text_of(page)
        assert DANA not in page.content.decode()
        assert page["Cache-Control"].startswith("max-age=0")
        assert stored() == (True, True)

    @pytest.mark.parametrize(("topic", "left"), [("news", (False, True)), ("", (False, False))])
    def test_one_press_unsubscribes_from_the_topic(
        self, guest: Any, choice: Subscriber, topic: str, left: tuple[bool, bool]
    ) -> None:
        for undoes in (True, False):
            page = send(guest, f"/email-preferences/{choice.pk}?stop={topic}", {"stop": "1"})
            assert page.status_code == 200
            assert "You're unsubscribed" in text_of(page)
            assert ("Undo" in text_of(page)) is undoes
            assert 'data-unfollows="/follow"' in page.text
        assert stored() == left

    @pytest.mark.parametrize("topic", ["news", "reminders", ""])
    def test_undo_brings_back_what_there_was(
        self, guest: Any, choice: Subscriber, topic: str
    ) -> None:
        path = f"/email-preferences/{choice.pk}"
        send(guest, path, {"news": "on"})
        page = send(guest, f"{path}?stop={topic}", {"stop": "1"}).content.decode()
        # Reminders were off before, so nothing brings them back.
        back = re.findall(r'<input type="hidden" name="(\w+)" value="on">', page)
        assert back == ([] if topic == "reminders" else ["news"])
        if back:
            send(guest, path, dict.fromkeys(back, "on"))
        assert stored() == (True, False)

    def test_what_is_off_already_is_not_asked_again(self, guest: Any, choice: Subscriber) -> None:
        path = f"/email-preferences/{choice.pk}?stop=reminders"
        assert "Turn off reminders from Luigi's?" in text_of(guest.get(path))
        send(guest, path, {"stop": "1"})
        page = text_of(guest.get(path))
        assert "Reminders are off" in page
        assert "Turn off" not in page

    def test_an_email_program_stops_without_a_page(
        self, guest: Any, choice: Subscriber, platform: None
    ) -> None:
        answer = send(
            guest,
            f"/email-preferences/{choice.pk}?stop=reminders",
            {"List-Unsubscribe": "One-Click"},
            {"Origin": "https://elsewhere.test"},
        )
        assert answer.status_code == 204
        assert stored() == (True, False)

    def test_the_form_keeps_what_is_ticked(self, guest: Any, choice: Subscriber) -> None:
        path = f"/email-preferences/{choice.pk}"
        for ticked, reported in (
            ({"reminders": "on", "news": "on"}, "You'll get reminders and news."),
            ({"reminders": "on"}, "You'll get reminders but no news."),
            ({"news": "on"}, "You'll get news but no reminders."),
            ({}, "You won't get reminders or news."),
        ):
            page = send(guest, path, ticked)
            assert reported in text_of(page)
            assert ("data-unfollows" in page.text) is ("news" not in ticked)
            assert stored() == ("news" in ticked, "reminders" in ticked)

    def test_who_ordered_can_unsubscribe_from_all_with_one_press(
        self, guest: Any, choice: Subscriber
    ) -> None:
        path = f"/email-preferences/{choice.pk}"
        assert "Save preferences Unsubscribe from all" in text_of(guest.get(path))
        page = text_of(send(guest, path, {"stop": "1"}))
        assert "You're unsubscribed Luigi's won't send you reminders or news anymore." in page
        assert stored() == (False, False)
        assert "Unsubscribe from all" not in text_of(guest.get(path))

    @pytest.mark.parametrize(
        ("status", "when"),
        [
            (OfferStatus.FAILED, "when Osso buco is back, and other new and returning specials"),
            (OfferStatus.ACTIVE, "when you can order Osso buco, and other new and returning"),
        ],
    )
    def test_the_dish_that_is_waited_for_is_listed(
        self, guest: Any, cast: Cast, choice: Subscriber, status: OfferStatus, when: str
    ) -> None:
        wanted = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco", status=status)
        with rls.acting_as(rls.PLATFORM):
            Subscriber.objects.update(wanted_offer=wanted)
        page = text_of(guest.get(f"/email-preferences/{choice.pk}"))
        assert f"News from Luigi's: {when}" in page

    def test_who_never_ordered_reads_of_news_alone_and_unsubscribes_with_one_press(
        self, guest: Any, cast: Cast, platform: None
    ) -> None:
        choice = set_email_preference(
            restaurant_id=cast.restaurant.pk, address=DANA, news=True, now=NOON
        )
        path = f"/email-preferences/{choice.pk}"
        page = guest.get(path)
        assert "News from Luigi's, such as returning specials Unsubscribe" in text_of(page)
        assert f'action="{path}?stop=news"' in page.text
        pages = [text_of(page), text_of(guest.get(f"{path}?stop=news"))]
        pages.append(text_of(send(guest, f"{path}?stop=news", {"stop": "1"})))
        assert stored() == (False, True)
        pages.append(text_of(guest.get(path)))
        assert "Luigi's doesn't email you. Subscribe" in pages[-1]
        pages.append(text_of(send(guest, path, {"news": "on", "reminders": "on"})))
        assert "You're subscribed to news from Luigi's." in pages[-1]
        assert stored() == (True, True)
        for words in pages:
            assert "order and your card" not in words
            assert "reminders" not in words.lower()

    def test_another_sites_page_changes_nothing(self, guest: Any, choice: Subscriber) -> None:
        answer = send(guest, f"/email-preferences/{choice.pk}", {}, THERE)
        assert answer.status_code == 403
        assert stored() == (True, True)

    def test_elsewhere_and_unknown_there_is_nothing(
        self, api: Any, cast: Cast, guest: Any, choice: Subscriber
    ) -> None:
        assert api().get(f"/email-preferences/{choice.pk}").status_code == 200
        assert api(at=cast.other).get(f"/email-preferences/{choice.pk}").status_code == 404
        for key in ("00000000-0000-4000-8000-000000000000", "x", "a.b"):
            assert guest.get(f"/email-preferences/{key}").status_code == 404
            assert send(guest, f"/email-preferences/{key}", {}).status_code == 404
        assert stored() == (True, True)


class TestTheOrdersPage:
    def test_the_form_leads_back_to_the_order_page(self, guest: Any, order: Any) -> None:
        choices = preferences_of(order)
        token = order_token(order)
        assert choices
        assert (choices["news"], choices["reminders"]) == (False, True)
        answer = send(guest, choices["action"], {"news": "on"})
        assert answer.status_code == 303
        assert answer["Location"] == f"/order/{token}?open=emails#emails"
        assert "Email preferences" not in guest.get(f"/order/{token}").content.decode()
        allow(guest, order, now=NOON)
        page = guest.get(f"/order/{token}?open=emails").content.decode()
        assert '<details class="fold" id="emails" open>' in page
        assert '<input type="checkbox" name="news" checked>' in page
        assert stored() == (True, False)

    def test_the_form_refuses_a_tampered_token_and_another_host(
        self, guest: Any, api: Any, cast: Cast, order: Any
    ) -> None:
        choices = preferences_of(order)
        assert choices
        token = choices["action"].removeprefix("/email-preferences/")
        assert send(guest, f"/email-preferences/{token}x", {}).status_code == 404
        assert send(guest, f"/email-preferences/{order_token(order)}", {}).status_code == 404
        assert send(api(at=cast.other), f"/email-preferences/{token}", {}).status_code == 404
        with rls.acting_as(rls.PLATFORM):
            assert not Subscriber.objects.exists()


class TestTheConfirmationsOptIn:
    def test_a_guest_opts_in_and_out_on_the_confirmation_page(self, guest: Any, order: Any) -> None:
        page = f"/pre-order-confirmation?preorder={order.pk}"
        assert "Yes, email me" in text_of(guest.get(page))
        for wish, then in (
            ("true", "You're subscribed to news from Luigi's"),
            ("false", "Yes, email me"),
        ):
            answer = send(guest, "/email-updates", {"preorder": order.pk, "optIn": wish}, HERE)
            assert answer.status_code == 303
            assert answer["Location"] == f"{page}#updates"
            assert then in text_of(guest.get(page))

    def test_a_no_by_an_emails_link_is_shown_and_stands(
        self, guest: Any, order: Any, choice: Subscriber, clock: Clock
    ) -> None:
        clock.advance(hours=1)
        send(guest, f"/email-preferences/{choice.pk}?stop=news", {"stop": "1"})
        send(guest, "/email-updates", {"preorder": order.pk, "optIn": "true"})
        assert stored() == (False, True)
        page = guest.get(f"/pre-order-confirmation?preorder={order.pk}&dish={order.offer_id}")
        assert "You unsubscribed from news from Luigi's." in text_of(page)
        assert "Yes, email me" not in text_of(page)

    def test_another_sites_page_and_unknown_orders(
        self, guest: Any, api: Any, cast: Cast, order: Any
    ) -> None:
        sent = {"preorder": order.pk, "optIn": "true"}
        send(guest, "/email-updates", sent, THERE)
        assert send(api(at=cast.other), "/email-updates", sent).status_code == 404
        assert send(guest, "/email-updates", {"preorder": "x"}).status_code == 404
        with rls.acting_as(rls.PLATFORM):
            assert not Subscriber.objects.exists()

    def test_an_order_without_an_address_has_none(self, guest: Any, special: Any) -> None:
        order = PreOrderFactory(offer=special, customer_email="")
        page = guest.get(f"/pre-order-confirmation?preorder={order.pk}&dish={order.offer_id}")
        assert "Email updates" not in text_of(page)
        assert preferences_of(order) is None

    def test_the_topics_are_columns(self) -> None:
        assert all(hasattr(Subscriber, topic) for topic in Topic.values)


class TestAnOrderThatIsOver:
    """The button of the email about it leads to "Tell me when it's back" on the order's page."""

    def over(self, cast: Cast, status: OfferStatus, **columns: Any) -> PreOrder:
        offer = SpecialOfferFactory(
            restaurant=cast.restaurant, name="Cassoulet", status=status, decided_at=NOON
        )
        order: PreOrder = PreOrderFactory(
            offer=offer,
            status=PreOrderStatus.CANCELLED,
            payment_status=PaymentStatus.RELEASED,
            **columns,
        )
        return order

    def press(self, guest: Any, order: PreOrder, wish: str) -> str:
        page = guest.get(f"/order/{order_token(order)}").text
        [form] = re.findall(r'<form[^>]*id="updates".*?</form>', page, re.DOTALL)
        sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]+)">', form))
        assert f'name="optIn" value="{wish}"' in form
        answer = send(guest, "/email-updates", {**sent, "optIn": wish})
        return text_of(guest.get(answer["Location"].partition("?")[0]))

    @pytest.mark.parametrize("status", [OfferStatus.FAILED, OfferStatus.DELETED])
    def test_its_dish_is_remembered_and_named(
        self, guest: Any, cast: Cast, status: OfferStatus
    ) -> None:
        order = self.over(cast, status)
        on_the_list = (
            "You're on the list Luigi's will email you when Cassoulet is back, and about other"
            " new and returning specials."
        )
        assert on_the_list in self.press(guest, order, "true")
        with rls.acting_as(rls.PLATFORM):
            assert Subscriber.objects.get().wanted_offer_id == order.offer_id
        assert "Tell me when it's back" in self.press(guest, order, "false")
        assert stored() == (False, True)

    def test_who_gets_news_is_asked_unless_they_are_told_anyway(
        self, guest: Any, cast: Cast
    ) -> None:
        with rls.acting_as(rls.PLATFORM):
            set_email_preference(
                restaurant_id=cast.restaurant.pk, address=DANA, news=True, now=NOON
            )
        failed = self.over(cast, OfferStatus.FAILED)  # as `EmailKind.REJOIN`
        called_off = self.over(cast, OfferStatus.DELETED)
        on_the_list = "You're on the list Luigi's will email you when Cassoulet is back"
        page = guest.get(f"/order/{order_token(failed)}")
        assert on_the_list in text_of(page)
        assert '<form class="notice notice-herb"' in page.text
        assert "Tell me when it's back" in text_of(guest.get(f"/order/{order_token(called_off)}"))
        assert on_the_list in self.press(guest, called_off, "true")

    def test_a_special_that_can_be_ordered_is_no_wish(self, guest: Any, cast: Cast) -> None:
        order = self.over(cast, OfferStatus.ACTIVE)
        sent = {"preorder": order.pk, "optIn": "true", "dish": "1"}
        send(guest, "/email-updates", sent)
        with rls.acting_as(rls.PLATFORM):
            assert Subscriber.objects.get().wanted_offer is None
