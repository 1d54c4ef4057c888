"""Posting later: a reminder at the chosen time with everything that is needed to post."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from apps.common import rls
from apps.marketing.models import Announcement
from apps.marketing.tasks import send_post_reminders_task
from apps.restaurants.models import Membership, Restaurant
from tests.conftest import NOON, Cast, Clock
from tests.factories import SpecialOfferFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
REMINDER = "/api/announcements/reminder"
LINKS = {
    "facebook": "https://facebook.com/luigis",
    "instagram": "https://instagram.com/luigis",
    "twitter": "https://twitter.com/luigis",
}
TOMORROW = NOON + timedelta(days=1)


@pytest.fixture
def offer(cast: Cast) -> Any:
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(social_media_links=LINKS)
        return SpecialOfferFactory(
            restaurant=cast.restaurant, name="Osso buco", deadline=NOON + timedelta(days=3)
        )


@pytest.fixture
def manager(api: Any, cast: Cast) -> Any:
    return api(cast.manager)


def text_about(offer: Any) -> str:
    return f"Osso buco!\n\nhttp://luigis.localhost/specials/{offer.pk}"


def ask(client: Any, offer: Any, **body: Any) -> Any:
    return client.put(
        REMINDER,
        {"message": text_about(offer), "remindAt": TOMORROW.isoformat(), **body},
        "application/json",
    )


def the_announcement() -> Announcement:
    with rls.acting_as(rls.PLATFORM):
        return Announcement.objects.get()


def test_who_asks_is_reminded_at_the_time_with_all_it_takes(
    manager: Any, cast: Cast, offer: Any, clock: Clock
) -> None:
    answer = ask(manager, offer, shortMessage="In short")
    assert (answer.status_code, answer.json()["remindAt"]) == (200, "2027-03-23T16:00:00Z")
    clock.set(TOMORROW - timedelta(seconds=1))
    send_post_reminders_task()
    assert mail.outbox == []
    clock.set(TOMORROW)
    send_post_reminders_task()
    send_post_reminders_task()
    [message] = mail.outbox
    assert message.to == [cast.manager.email]
    assert message.subject == "Time to post your announcement for Luigi's"
    for words in (
        "Osso buco, $24.00 a portion",
        "> Osso buco!",
        "Open Facebook:\nhttps://www.facebook.com/sharer/sharer.php?u=http",
        "Open Twitter:\nhttps://x.com/intent/tweet?text=In+short",
        "Open Instagram:\nhttps://instagram.com/luigis",
        f"/restaurant/offers/{offer.pk}/instagram-story.jpg",
        "/restaurant?tab=marketing",
    ):
        assert words in message.body, words
    assert the_announcement().remind_at is None


def test_a_reminder_is_moved_and_canceled(manager: Any, offer: Any, clock: Clock) -> None:
    ask(manager, offer)
    later = TOMORROW + timedelta(hours=2)
    ask(manager, offer, remindAt=later.isoformat())
    announcement = the_announcement()
    assert announcement.remind_at == later
    listed = manager.get("/api/announcements").json()
    assert [each["remindAt"] for each in listed["announcements"]] == ["2027-03-23T18:00:00Z"]
    address = f"/api/announcements/{announcement.pk}/reminder"
    assert manager.delete(address).status_code == 204
    assert manager.delete(address).status_code == 404
    clock.set(later)
    send_post_reminders_task()
    assert mail.outbox == []


@pytest.mark.parametrize(
    "moment", [None, "tomorrow", NOON.isoformat(), (NOON + timedelta(days=61)).isoformat()]
)
def test_a_time_that_does_not_fit_is_refused(manager: Any, offer: Any, moment: Any) -> None:
    answer = ask(manager, offer, remindAt=moment)
    assert answer.status_code == 400
    assert [each["field"] for each in answer.json()["errors"]] == ["remindAt"]
    with rls.acting_as(rls.PLATFORM):
        assert not Announcement.objects.exists()


def test_nobody_is_reminded_of_what_is_over(manager: Any, offer: Any, clock: Clock) -> None:
    ask(manager, offer, remindAt=(NOON + timedelta(days=4)).isoformat())
    clock.set(NOON + timedelta(days=4))
    send_post_reminders_task()
    assert mail.outbox == []
    assert the_announcement().remind_at is None


def test_who_left_the_team_is_not_reminded(
    manager: Any, cast: Cast, offer: Any, clock: Clock
) -> None:
    ask(manager, offer)
    with rls.acting_as(rls.PLATFORM):
        Membership.objects.filter(user=cast.manager).delete()
    clock.set(TOMORROW)
    send_post_reminders_task()
    assert mail.outbox == []


def test_a_server_that_is_down_gets_the_reminder_later_and_once(
    manager: Any, offer: Any, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(manager, offer)
    clock.set(TOMORROW)
    with monkeypatch.context() as broken:

        def refuse(*_: Any, **__: Any) -> None:
            raise ConnectionRefusedError

        broken.setattr("django.core.mail.EmailMultiAlternatives.send", refuse)
        send_post_reminders_task()
    send_post_reminders_task()  # the lease of the failed attempt
    assert mail.outbox == []
    clock.set(TOMORROW + timedelta(minutes=3))
    send_post_reminders_task()
    send_post_reminders_task()
    assert len(mail.outbox) == 1


def test_another_restaurants_reminder_is_not_canceled(
    api: Any, cast: Cast, manager: Any, offer: Any
) -> None:
    ask(manager, offer)
    announcement = the_announcement()
    theirs = api(cast.outsider)
    assert theirs.delete(f"/api/announcements/{announcement.pk}/reminder").status_code == 404
    assert the_announcement().remind_at == TOMORROW
