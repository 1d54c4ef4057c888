"""Emails to followers: scheduled, their invitations written, sent once each at a limited pace, and
their results."""

import re
import smtplib
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from anymail.signals import AnymailTrackingEvent, EventType, RejectReason, tracking
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from apps.common import rls
from apps.common.errors import Conflict, Invalid, NotFound
from apps.marketing.campaigns import inviting, sending
from apps.marketing.campaigns.nudges import queue_nudges, set_nudges
from apps.marketing.campaigns.services import cancel_campaign, schedule_campaign
from apps.marketing.campaigns.tracking import attribute_orders
from apps.marketing.models import Campaign, EmailAnnouncementUsage, EmailInvitation
from apps.marketing.tasks import run_campaigns_task
from apps.offers.models import Photo
from apps.offers.states import OfferStatus
from apps.preorders.emails.preferences import set_email_preference
from apps.preorders.models import Subscriber
from apps.restaurants.models import Restaurant
from apps.restaurants.services.onboarding import turn_months
from tests.conftest import NOON, Cast, Clock
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
BROWSER = {"User-Agent": "Mozilla/5.0 (iPhone)"}
Status = EmailInvitation.Status


def followers(restaurant: Any, number: int, **columns: Any) -> list[Subscriber]:
    with rls.acting_as(rls.PLATFORM):
        return Subscriber.objects.bulk_create(
            [
                Subscriber(
                    restaurant=restaurant,
                    email=f"guest{each}@example.test",
                    status=Subscriber.Status.CONFIRMED,
                    consent_at=NOON,
                    changed_at=NOON,
                    **{"language": "en-us", **columns},
                )
                for each in range(number)
            ]
        )


def schedule(restaurant: Any, clock: Clock, **columns: Any) -> Campaign:
    with rls.acting_as(restaurant):
        return schedule_campaign(
            restaurant=restaurant,
            now=clock.now,
            by=None,
            **{
                "segment": "all",
                "special_id": None,
                "subject": "",
                "note": "",
                "send_at": None,
                **columns,
            },
        )


def run(run_tasks: Any) -> None:
    """Run what the schedule runs every ten seconds, and then the workers."""
    run_campaigns_task()
    run_tasks()


def statuses() -> list[str]:
    with rls.acting_as(rls.PLATFORM):
        return sorted(EmailInvitation.objects.values_list("status", flat=True))


def the(model: Any) -> Any:
    with rls.acting_as(rls.PLATFORM):
        return model.objects.select_related("restaurant").get()


def link_of(invitation: EmailInvitation) -> str:
    (message,) = (each for each in mail.outbox if invitation.customer_email in each.to[0])
    line = next(each for each in message.body.splitlines() if "/e/" in each)
    return urlsplit(line).path


def _change(restaurant: Any, **columns: Any) -> None:
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.filter(pk=restaurant.pk).update(**columns)


@pytest.fixture
def offer(special: Any) -> Any:
    return special


class TestSending:
    def test_each_follower_gets_one_email_that_says_what_is_true(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 2)
        schedule(cast.restaurant, clock, special_id=offer.pk, note="We found\nwhite truffles!")
        run(run_tasks)
        run(run_tasks)
        assert sorted(each.to[0] for each in mail.outbox) == [
            "guest0@example.test",
            "guest1@example.test",
        ]
        message = mail.outbox[0]
        assert isinstance(message, EmailMultiAlternatives)
        assert message.subject == "Osso buco at Luigi's on Wed, Mar 24"
        assert "We found\n\nwhite truffles!" in message.body
        assert "4 more and it's on. Order by Tue, Mar 23, 6:00 PM EDT." in message.body
        assert "8 of 12 portions ordered so far\n" in message.body
        assert str(message.alternatives[0][0]).count('<div class="seat-on"') == 8
        assert (
            "If you order, your bank holds the total, and nothing is charged yet." in message.body
        )
        assert "1 Mulberry Street" in message.body
        assert statuses() == [Status.SENT, Status.SENT]
        campaign = the(Campaign)
        assert (campaign.status, campaign.finished_at) == ("sent", clock.now)
        usage = the(EmailAnnouncementUsage)
        assert (usage.emails_sent_count, usage.limit_applied, usage.tier_type) == (2, 500, "free")
        assert usage.special_offer_ids == [str(offer.pk)]

    def test_a_sent_email_is_not_sent_again_by_a_message_that_comes_after_its_lease(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 1)
        schedule(cast.restaurant, clock, special_id=offer.pk)
        run(run_tasks)
        with rls.acting_as(rls.PLATFORM):
            invitation = the(EmailInvitation)
            late = clock.now + sending.LEASE
            assert not sending.send_invitation(invitation.pk, now=late)
            assert the(EmailInvitation).attempts == 1
        assert len(mail.outbox) == 1

    def test_an_email_shows_the_dish_and_the_restaurants_look(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        with rls.acting_as(rls.PLATFORM):
            photo = Photo.objects.create(
                restaurant=cast.restaurant, width=720, height=540, widths=[720]
            )
            type(offer).objects.filter(pk=offer.pk).update(photo=photo)
            Restaurant.objects.filter(pk=cast.restaurant.pk).update(
                subscription_tier="branded",
                branding_options={"accent": "#1d5b8f", "footer": "Since 1962"},
            )
        followers(cast.restaurant, 1)
        schedule(cast.restaurant, clock, special_id=offer.pk)
        run(run_tasks)
        [message] = mail.outbox
        assert isinstance(message, EmailMultiAlternatives)
        html = str(message.alternatives[0][0])
        picture = r'<img class="photo" src="http://luigis[^"]+\.jpg" width="558" alt="Osso buco"'
        assert re.search(picture, html)
        assert "background:#1d5b8f" in html
        headline = html[html.index("<h1") : html.index("</h1>")]
        assert "Wed, Mar 24" in headline
        assert "Osso buco" in headline
        assert "Served on" not in html
        assert "Since 1962" in html
        assert "Since 1962" in message.body
        # The price is below the dish, and what it contains is with what else there is to know.
        assert "\nOsso buco, $24.00 instead of $30.00\n" in message.body
        assert "\nAllergens: not listed\n" in message.body
        assert "Dietary" not in message.body + html
        assert "Price:" not in message.body

    def test_an_email_about_all_specials_shows_each_with_its_day_price_and_gap(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 1)
        schedule(cast.restaurant, clock)
        run(run_tasks)
        [message] = mail.outbox
        assert message.subject == "New specials at Luigi's"
        said = "Osso buco, $24.00 instead of $30.00\n4 more and it's on.\n"
        assert said in message.body
        link = message.body.split(said)[1].splitlines()[0]
        assert urlsplit(link).path == link_of(the(EmailInvitation))

    def test_an_email_can_be_unsubscribed_from_with_one_click_and_the_next_is_not_sent(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any, guest: Any
    ) -> None:
        followers(cast.restaurant, 1)
        schedule(cast.restaurant, clock)
        run(run_tasks)
        headers = mail.outbox[0].extra_headers
        assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        url = urlsplit(headers["List-Unsubscribe"].strip("<>"))
        path = f"{url.path}?{url.query}"
        assert guest.get(path).status_code == 200
        assert the(Subscriber).status == "confirmed"
        answer = guest.post(path, "List-Unsubscribe=One-Click", "application/x-www-form-urlencoded")
        assert answer.status_code == 204
        assert the(Subscriber).status == "unsubscribed"
        with pytest.raises(Conflict, match="Nobody would get this email"):
            schedule(cast.restaurant, clock)

    def test_an_email_can_be_unsubscribed_from_while_a_domain_is_live_and_after_it_is_gone(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any, guest: Any
    ) -> None:
        with rls.acting_as(rls.PLATFORM):
            Restaurant.objects.filter(pk=cast.restaurant.pk).update(domain="order.luigis.test")
        followers(cast.restaurant, 1)
        schedule(cast.restaurant, clock)
        run(run_tasks)
        [message] = mail.outbox
        choice = the(Subscriber)
        url = f"http://luigis.localhost:8000/email-preferences/{choice.pk}?stop=news"
        assert message.extra_headers["List-Unsubscribe"] == f"<{url}>"
        assert f"Unsubscribe: {url}" in message.body
        path = url.removeprefix("http://luigis.localhost:8000")
        one_click = ("List-Unsubscribe=One-Click", "application/x-www-form-urlencoded")
        assert guest.post(path, *one_click).status_code == 204
        assert the(Subscriber).status == "unsubscribed"

    def test_an_email_is_in_the_followers_language(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 1, language="es")
        schedule(cast.restaurant, clock, special_id=offer.pk)
        run(run_tasks)
        assert mail.outbox[0].subject == "Osso buco en Luigi's el mié 24 mar"
        assert "Cancelar la suscripción" in mail.outbox[0].body

    def test_nobody_is_emailed_who_did_not_confirm_or_stopped_meanwhile(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        everybody = followers(cast.restaurant, 6)
        states = ["none", "pending", "unsubscribed", "suppressed"]
        with rls.acting_as(rls.PLATFORM):
            for each, state in zip(everybody, states, strict=False):
                Subscriber.objects.filter(pk=each.pk).update(status=state)
        schedule(cast.restaurant, clock)
        run_campaigns_task()
        assert statuses() == [Status.QUEUED, Status.QUEUED]
        with rls.acting_as(cast.restaurant):
            set_email_preference(
                restaurant_id=cast.restaurant.pk,
                address="guest4@example.test",
                news=False,
                now=clock.now,
            )
        run_tasks()
        assert [each.to for each in mail.outbox] == [["guest5@example.test"]]
        assert statuses() == [Status.DROPPED, Status.SENT]

    def test_who_ordered_the_special_is_not_invited_to_it(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 2)
        PreOrderFactory(offer=offer, customer_email="Guest0@example.test")
        schedule(cast.restaurant, clock, special_id=offer.pk)
        run(run_tasks)
        assert [each.to for each in mail.outbox] == [["guest1@example.test"]]

    def test_another_restaurants_followers_get_nothing(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.other, 3)
        with pytest.raises(Conflict):
            schedule(cast.restaurant, clock)
        with pytest.raises(NotFound):
            schedule(cast.other, clock, special_id=offer.pk)
        run(run_tasks)
        assert mail.outbox == []

    def test_nothing_is_sent_at_night_and_all_of_it_in_the_morning(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 1)
        clock.set(NOON + timedelta(hours=9, minutes=1))  # a minute past nine in the evening
        schedule(cast.restaurant, clock)
        run(run_tasks)
        assert mail.outbox == []
        clock.advance(hours=11, minutes=58)
        run(run_tasks)
        assert mail.outbox == []
        clock.advance(minutes=1)
        run(run_tasks)
        assert len(mail.outbox) == 1

    def test_a_scheduled_email_waits_for_its_time(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 1)
        schedule(cast.restaurant, clock, send_at=clock.now + timedelta(hours=2))
        clock.advance(hours=1, minutes=59)
        run(run_tasks)
        assert mail.outbox == []
        clock.advance(minutes=1)
        run(run_tasks)
        assert len(mail.outbox) == 1

    def test_what_is_stopped_is_not_sent_and_gives_its_emails_back(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 3)
        campaign = schedule(cast.restaurant, clock)
        run_campaigns_task()
        with rls.acting_as(cast.restaurant):
            for _ in range(2):
                cancel_campaign(restaurant=cast.restaurant, campaign_id=campaign.pk, now=clock.now)
        run(run_tasks)
        assert mail.outbox == []
        assert statuses() == [Status.DROPPED] * 3
        assert Restaurant.objects.get(pk=cast.restaurant.pk).monthly_emails_sent == 0
        with pytest.raises(NotFound), rls.acting_as(cast.other):
            cancel_campaign(restaurant=cast.other, campaign_id=campaign.pk, now=clock.now)

    def test_a_special_that_closed_meanwhile_is_not_announced(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 1)
        schedule(cast.restaurant, clock, special_id=offer.pk)
        run_campaigns_task()
        offer.status = OfferStatus.DELETED
        with rls.acting_as(rls.PLATFORM):
            offer.save(update_fields=["status"])
        run_tasks()
        assert mail.outbox == []
        assert statuses() == [Status.DROPPED]

    def test_an_email_to_followers_needs_an_address_to_show(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any
    ) -> None:
        followers(cast.restaurant, 1)
        _change(cast.restaurant, street_address="")
        with pytest.raises(Conflict, match="street and city"):
            schedule(cast.restaurant, clock)
        _change(cast.restaurant, street_address="1 Mulberry Street")
        schedule(cast.restaurant, clock)
        _change(cast.restaurant, city="")
        run(run_tasks)
        assert mail.outbox == []
        assert statuses() == [Status.DROPPED]

    @pytest.mark.parametrize(
        ("hours", "says"), [(-1, "in the future"), (30, "before the special's deadline")]
    )
    def test_a_time_that_does_not_fit_is_refused(
        self, cast: Cast, offer: Any, clock: Clock, hours: int, says: str
    ) -> None:
        followers(cast.restaurant, 1)
        with pytest.raises(Invalid, match=says):
            schedule(
                cast.restaurant,
                clock,
                special_id=offer.pk,
                send_at=clock.now + timedelta(hours=hours),
            )
        with rls.acting_as(rls.PLATFORM):
            assert not Campaign.objects.exists()


class TestLimits:
    def test_a_month_has_so_many_emails_and_begins_again_where_the_restaurant_is(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any, settings: Any
    ) -> None:
        settings.FREE_INVITATIONS_PER_MONTH = 3
        followers(cast.restaurant, 2)
        schedule(cast.restaurant, clock)
        run(run_tasks)
        with pytest.raises(Conflict, match="2 followers, but 1 email of this month's 3 are left"):
            schedule(cast.restaurant, clock)
        clock.set(NOON.replace(month=4, day=1, hour=3))  # still March in New York
        turn_months(now=clock.now)
        assert Restaurant.objects.get(pk=cast.restaurant.pk).monthly_emails_sent == 2
        clock.advance(hours=12)
        turn_months(now=clock.now)
        assert Restaurant.objects.get(pk=cast.restaurant.pk).monthly_emails_sent == 0

    def test_campaigns_scheduled_for_one_moment_share_what_is_left(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any, settings: Any
    ) -> None:
        settings.FREE_INVITATIONS_PER_MONTH = 5
        followers(cast.restaurant, 3)
        schedule(cast.restaurant, clock)
        schedule(cast.restaurant, clock, subject="Once more")
        for _ in range(2):
            run(run_tasks)
        assert len(mail.outbox) == 5
        with rls.acting_as(rls.PLATFORM):
            reached = Campaign.objects.order_by("limit_reached").values_list(
                "limit_reached", "status"
            )
            assert list(reached) == [(False, "sent"), (True, "sent")]

    def test_an_hour_has_so_many_emails(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any, settings: Any
    ) -> None:
        settings.CAMPAIGN_EMAILS_PER_HOUR = 4
        followers(cast.restaurant, 6)
        schedule(cast.restaurant, clock)
        sent = []
        for _ in range(3):
            run(run_tasks)
            sent.append(len(mail.outbox))
            clock.advance(minutes=31)
        assert sent == [4, 4, 6]

    def test_many_invitations_are_written_in_whole_batches_and_each_address_once(
        self, cast: Cast, offer: Any, clock: Clock, monkeypatch: Any
    ) -> None:
        monkeypatch.setattr(inviting, "BATCH_SIZE", 10)
        followers(cast.restaurant, 25)
        campaign = schedule(cast.restaurant, clock)
        with rls.acting_as(rls.PLATFORM):
            assert inviting.write_batch(campaign.pk, now=clock.now)
            assert EmailInvitation.objects.count() == 10
            assert inviting.write_batch(campaign.pk, now=clock.now)
            assert not inviting.write_batch(campaign.pk, now=clock.now)
            assert not inviting.write_batch(campaign.pk, now=clock.now)
            addresses = EmailInvitation.objects.values_list("customer_email", flat=True)
            assert (len(addresses), len(set(addresses))) == (25, 25)


class TestFailures:
    def test_a_worker_that_dies_before_it_sends_leaves_the_email_to_another(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any, monkeypatch: Any
    ) -> None:
        followers(cast.restaurant, 1)
        schedule(cast.restaurant, clock)
        run_campaigns_task()
        run_tasks.waiting.clear()
        invitation = the(EmailInvitation)

        def die(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, rls.acting_as(cast.restaurant):
            patch.setattr(sending, "render_invitation", die)
            with pytest.raises(KeyboardInterrupt):
                sending.send_invitation(invitation.pk, now=clock.now)
        clock.advance(minutes=1)
        with rls.acting_as(cast.restaurant):
            assert not sending.send_invitation(invitation.pk, now=clock.now)
        clock.advance(minutes=5)
        run(run_tasks)
        assert len(mail.outbox) == 1
        assert statuses() == [Status.SENT]

    def test_a_server_that_is_down_is_tried_again_later_and_one_address_holds_up_no_other(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any, monkeypatch: Any
    ) -> None:
        followers(cast.restaurant, 2)
        schedule(cast.restaurant, clock)
        send = EmailMultiAlternatives.send

        def refuse_first(message: Any) -> Any:
            if "guest0" in message.to[0]:
                raise ConnectionRefusedError("later")
            return send(message)

        monkeypatch.setattr(EmailMultiAlternatives, "send", refuse_first)
        run(run_tasks)
        assert [each.to for each in mail.outbox] == [["guest1@example.test"]]
        monkeypatch.setattr(EmailMultiAlternatives, "send", send)
        clock.advance(minutes=5)
        run(run_tasks)
        assert len(mail.outbox) == 2

    def test_an_address_that_the_server_refuses_for_good_is_suppressed(
        self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any, monkeypatch: Any
    ) -> None:
        followers(cast.restaurant, 1)
        followers(cast.other, 1)
        schedule(cast.restaurant, clock)

        def refuse(message: Any) -> Any:
            raise smtplib.SMTPRecipientsRefused({message.to[0]: (550, b"no such user")})

        monkeypatch.setattr(EmailMultiAlternatives, "send", refuse)
        run(run_tasks)
        assert statuses() == [Status.FAILED]
        with rls.acting_as(rls.PLATFORM):
            found = set(Subscriber.objects.values_list("status", "suppressed_for"))
        assert found == {("suppressed", "bounce")}


class TestWhatCameOfIt:
    @pytest.fixture
    def sent(self, cast: Cast, offer: Any, clock: Clock, run_tasks: Any) -> EmailInvitation:
        followers(cast.restaurant, 1)
        schedule(cast.restaurant, clock, special_id=offer.pk)
        run(run_tasks)
        clock.advance(minutes=10)
        invitation: EmailInvitation = the(EmailInvitation)
        return invitation

    def tell(self, invitation: EmailInvitation, event_type: str, **facts: Any) -> None:
        event = AnymailTrackingEvent(
            event_type=event_type,
            recipient=invitation.customer_email,
            metadata={"invitation": str(invitation.pk)},
            **facts,
        )
        tracking.send(sender=object, event=event, esp_name="Test")

    def test_a_click_is_noted_once_and_leads_to_the_special(
        self, sent: EmailInvitation, offer: Any, guest: Any, clock: Clock
    ) -> None:
        link = link_of(sent)
        for _ in range(2):
            answer = guest.get(link, headers=BROWSER)
            assert answer.status_code == 302
            assert answer["Location"] == f"http://luigis.localhost:8000/specials/{offer.pk}"
            clock.advance(minutes=1)
        found = the(EmailInvitation)
        assert (found.status, found.clicked_at) == (Status.CLICKED, NOON + timedelta(minutes=10))
        assert found.opened_at == found.delivered_at == found.clicked_at

    @pytest.mark.parametrize(
        "headers",
        [{**BROWSER, "Sec-GPC": "1"}, {**BROWSER, "DNT": "1"}, {"User-Agent": "Googlebot/2.1"}],
    )
    def test_a_program_and_who_asks_not_to_be_tracked_leave_no_trace(
        self, sent: EmailInvitation, guest: Any, headers: Any
    ) -> None:
        assert guest.get(link_of(sent), headers=headers).status_code == 302
        assert guest.get(f"{link_of(sent)}/open.gif", headers=headers).status_code == 200
        assert the(EmailInvitation).status == Status.SENT

    def test_the_picture_notes_an_opening_and_is_the_same_for_a_made_up_link(
        self, sent: EmailInvitation, guest: Any
    ) -> None:
        seen = guest.get(f"{link_of(sent)}/open.gif", headers=BROWSER)
        assert seen["Content-Type"] == "image/gif"
        assert the(EmailInvitation).status == Status.OPENED
        assert guest.get("/e/made-up/open.gif", headers=BROWSER).content == seen.content
        assert guest.get("/e/made-up", headers=BROWSER)["Location"] == "/specials"

    def test_news_in_any_order_only_moves_forward(self, sent: EmailInvitation, guest: Any) -> None:
        for event in (EventType.CLICKED, EventType.DELIVERED, EventType.OPENED):
            self.tell(sent, event)
        assert the(EmailInvitation).status == Status.CLICKED

    def test_an_address_that_bounced_is_not_emailed_again_anywhere(
        self, sent: EmailInvitation, cast: Cast, clock: Clock
    ) -> None:
        followers(cast.other, 1)
        self.tell(sent, EventType.BOUNCED, reject_reason=RejectReason.BOUNCED)
        assert the(EmailInvitation).status == Status.FAILED
        with rls.acting_as(rls.PLATFORM):
            assert set(Subscriber.objects.values_list("status", flat=True)) == {"suppressed"}
        with pytest.raises(Conflict, match="Nobody"):
            schedule(cast.restaurant, clock)

    def test_a_full_mailbox_is_no_bounce_of_the_address(self, sent: EmailInvitation) -> None:
        self.tell(sent, EventType.BOUNCED, reject_reason=RejectReason.TIMED_OUT)
        assert the(EmailInvitation).status == Status.FAILED
        assert the(Subscriber).status == "confirmed"

    def test_who_reports_spam_hears_no_more_of_this_restaurant(
        self, sent: EmailInvitation, cast: Cast
    ) -> None:
        others = followers(cast.other, 1)
        self.tell(sent, EventType.COMPLAINED)
        with rls.acting_as(rls.PLATFORM):
            mine = Subscriber.objects.get(restaurant=cast.restaurant)
            assert (mine.status, mine.suppressed_for) == ("suppressed", "complaint")
            assert Subscriber.objects.get(pk=others[0].pk).status == "confirmed"

    def test_an_event_about_another_email_changes_nothing(self, sent: EmailInvitation) -> None:
        event = AnymailTrackingEvent(event_type=EventType.DELIVERED, message_id="x", metadata={})
        tracking.send(sender=object, event=event, esp_name="Test")
        assert the(EmailInvitation).status == Status.SENT

    def test_an_order_after_the_click_counts_for_the_email_and_one_before_does_not(
        self, sent: EmailInvitation, offer: Any, guest: Any, clock: Clock
    ) -> None:
        earlier = PreOrderFactory(offer=offer, customer_email=sent.customer_email)
        clock.advance(minutes=1)
        guest.get(link_of(sent), headers=BROWSER)
        with rls.acting_as(rls.PLATFORM):
            assert attribute_orders(now=clock.now) == 0
        clock.advance(minutes=1)
        order = PreOrderFactory(offer=offer, customer_email=sent.customer_email.upper())
        with rls.acting_as(rls.PLATFORM):
            assert attribute_orders(now=clock.now) == 1
            assert attribute_orders(now=clock.now) == 0
        found = the(EmailInvitation)
        assert (found.status, found.pre_order_id) == (Status.ORDERED, order.pk)
        assert found.ordered_at == clock.now
        assert earlier.pk != order.pk


class TestNudges:
    def near(self, cast: Cast, clock: Clock, **columns: Any) -> Any:
        return SpecialOfferFactory(
            restaurant=cast.restaurant,
            name="Cassoulet",
            created_at=clock.now - timedelta(hours=1),
            deadline=clock.now + timedelta(days=2),
            **{"min_preorders": 10, "ordered_portions": 8, **columns},
        )

    def nudge(self, clock: Clock, run_tasks: Any) -> None:
        with rls.acting_as(rls.PLATFORM):
            queue_nudges(now=clock.now)
        run(run_tasks)

    def test_at_four_fifths_each_follower_who_has_not_ordered_is_nudged_once(
        self, cast: Cast, clock: Clock, run_tasks: Any
    ) -> None:
        offer = self.near(cast, clock)
        followers(cast.restaurant, 2)
        PreOrderFactory(offer=offer, customer_email="guest0@example.test")
        for _ in range(3):
            self.nudge(clock, run_tasks)
            clock.advance(hours=1)
        assert [(each.to, each.subject) for each in mail.outbox] == [
            (["guest1@example.test"], "2 more and it's on: Cassoulet")
        ]

    def test_in_the_last_six_hours_it_is_a_last_call(
        self, cast: Cast, clock: Clock, run_tasks: Any
    ) -> None:
        self.near(cast, clock, ordered_portions=1)
        followers(cast.restaurant, 1)
        clock.advance(days=1, hours=22, minutes=-1)
        self.nudge(clock, run_tasks)
        clock.set(NOON + timedelta(days=1, hours=18))
        self.nudge(clock, run_tasks)
        clock.set(NOON + timedelta(days=1, hours=21))  # nine in the morning there
        self.nudge(clock, run_tasks)
        [last_call] = mail.outbox
        assert last_call.subject == "Last call for Cassoulet: order by 12:00 PM"
        # By when, and on which day, before the day on which it is served.
        assert re.match(
            r"Last call: order by [A-Z]\w\w, Mar 2\d, 12:00 PM EDT\n", str(last_call.body)
        )
        assert "\n9 more and it's on.\n" in last_call.body
        # Its reader hasn't ordered.
        assert "If you order, your bank holds the total, and nothing is charged" in last_call.body
        assert "No charge" not in last_call.body

    @pytest.mark.parametrize(
        "columns",
        [
            {"ordered_portions": 7},
            {"ordered_portions": 10},
            {"goes_ahead": True},
            {"status": OfferStatus.FAILED},
        ],
    )
    def test_what_is_far_off_or_on_or_over_nudges_nobody(
        self, cast: Cast, clock: Clock, run_tasks: Any, columns: Any
    ) -> None:
        self.near(cast, clock, **columns)
        followers(cast.restaurant, 1)
        self.nudge(clock, run_tasks)
        assert mail.outbox == []

    def test_a_restaurant_without_an_address_nudges_nobody_until_it_has_one(
        self, cast: Cast, clock: Clock, run_tasks: Any
    ) -> None:
        self.near(cast, clock)
        followers(cast.restaurant, 1)
        _change(cast.restaurant, city="")
        self.nudge(clock, run_tasks)
        assert mail.outbox == []
        _change(cast.restaurant, city="New York")
        self.nudge(clock, run_tasks)
        assert len(mail.outbox) == 1

    def test_an_owner_can_turn_them_off(self, cast: Cast, clock: Clock, run_tasks: Any) -> None:
        self.near(cast, clock)
        followers(cast.restaurant, 1)
        with rls.acting_as(cast.restaurant):
            set_nudges(restaurant=cast.restaurant, are_on=False, now=clock.now)
        self.nudge(clock, run_tasks)
        assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_six_workers_at_once_send_each_email_once(cast: Cast, clock: Clock, run_tasks: Any) -> None:
    SpecialOfferFactory(restaurant=cast.restaurant)
    followers(cast.restaurant, 5)
    schedule(cast.restaurant, clock)
    run_campaigns_task()
    run_tasks.waiting.clear()
    with rls.acting_as(rls.PLATFORM):
        ids = list(EmailInvitation.objects.values_list("pk", flat=True))

    def work() -> int:
        with rls.acting_as(cast.restaurant):
            return sum(sending.send_invitation(each, now=clock.now) for each in ids)

    assert sum(at_once(*[work] * 6)) == 5
    assert len({each.to[0] for each in mail.outbox}) == len(mail.outbox) == 5
