"""Workers of a campaign die by SIGKILL or roll back; each follower still gets one message."""

from itertools import cycle
from typing import Any

import pytest

from apps.common import rls
from apps.marketing.campaigns import inviting, sending
from apps.marketing.campaigns.services import schedule_campaign
from apps.marketing.models import Campaign, EmailAnnouncementUsage, EmailInvitation
from apps.marketing.tasks import run_campaigns_task
from apps.preorders.models import Subscriber
from tests.factories import SpecialOfferFactory
from tests.threads import at_once

MANY = 10_000
Status = EmailInvitation.Status


def followers(restaurant: Any, number: int, now: Any) -> None:
    Subscriber.objects.bulk_create(
        Subscriber(
            restaurant=restaurant,
            email=f"guest{each}@example.test",
            status=Subscriber.Status.CONFIRMED,
            language="en-us",
            consent_at=now,
            changed_at=now,
        )
        for each in range(number)
    )


def campaign_of(restaurant: Any, now: Any) -> Campaign:
    return schedule_campaign(
        restaurant=restaurant,
        now=now,
        by=None,
        segment="all",
        special_id=None,
        subject="",
        note="",
        send_at=None,
    )


def test_a_worker_killed_around_the_email_server_leaves_one_message_for_each_follower(
    world: Any, mortals: Any, tmp_path: Any, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "apps.common.email_backends.FolderBackend"
    settings.EMAIL_FOLDER = tmp_path
    world.offer()
    followers(world.restaurant, 3, world.now)
    campaign_of(world.restaurant, world.now)
    run_campaigns_task()
    world.tasks.waiting.clear()  # messages die with the workers that had them
    invitations = list(EmailInvitation.objects.values_list("pk", flat=True))
    ends = [
        mortals.run(
            "send_invitation", each, now=world.now, moment=moment, email_folder=tmp_path
        ).where
        for moment, each in enumerate(invitations)
    ]
    assert ends == ["before send", "after send", ""]
    assert len(list(tmp_path.iterdir())) == 2
    world.later(minutes=6)
    run_campaigns_task()
    world.work()
    # A file is named after the Message-ID: the message that had gone out is the same one again.
    assert {file.stem for file in tmp_path.iterdir()} == {str(each) for each in invitations}
    assert set(EmailInvitation.objects.values_list("status", "attempts")) == {
        (Status.SENT, 2),
        (Status.SENT, 1),
    }


@pytest.mark.usefixtures("platform")
@pytest.mark.django_db(transaction=True)
def test_ten_thousand_invitations_are_written_and_handed_over_once_though_workers_die(
    cast: Any, clock: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CAMPAIGN_EMAILS_PER_HOUR = MANY
    settings.FREE_INVITATIONS_PER_MONTH = settings.BRANDED_INVITATIONS_PER_MONTH = MANY
    SpecialOfferFactory(restaurant=cast.restaurant)
    followers(cast.restaurant, MANY, clock.now)
    campaign = campaign_of(cast.restaurant, clock.now)
    lives = cycle([True, True, False])

    def die_sometimes(*batch: Any, **named: Any) -> None:
        written(*batch, **named)
        if not next(lives):
            raise KeyboardInterrupt  # after its rows are there and before its transaction ends

    written = inviting._write
    monkeypatch.setattr(inviting, "_write", die_sometimes)

    def invite() -> int:
        deaths = 0
        with rls.acting_as(rls.PLATFORM):
            while not Campaign.objects.get(pk=campaign.pk).is_invited:
                try:
                    inviting.write_batch(campaign.pk, now=clock.now)
                except KeyboardInterrupt:
                    deaths += 1
        return deaths

    assert sum(at_once(invite, invite)) == MANY // inviting.BATCH_SIZE // 2
    addresses = EmailInvitation.objects.values_list("customer_email", flat=True)
    assert len(addresses) == len(set(addresses)) == MANY
    assert EmailAnnouncementUsage.objects.get().emails_sent_count == MANY

    def hand_over() -> list[Any]:
        found: list[Any] = []
        with rls.acting_as(rls.PLATFORM):
            # A limited number of times, so that the test fails if the same invitations stay due.
            while len(found) <= MANY and (batches := sending.hand_over_due(now=clock.now)):
                found += [each for _, ids in batches for each in ids]
        return found

    handed = [each for found in at_once(hand_over, hand_over) for each in found]
    assert len(handed) == len(set(handed)) == MANY
