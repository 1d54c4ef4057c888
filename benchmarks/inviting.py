"""An email to 10,000 followers: requested, its invitations written, and sent even though the worker
is killed in the middle. Sending stops after a fifth, which is enough to see its pace."""

import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from django.db.models import Count, Q, QuerySet
from django.test import override_settings

from apps.common import clock, rls
from apps.marketing.campaigns.sending import HANDED_OVER, LEASE
from apps.marketing.campaigns.services import cancel_campaign, schedule_campaign
from apps.marketing.models import Campaign, EmailInvitation
from apps.preorders.models import Subscriber
from apps.restaurants.models import Restaurant
from benchmarks.copies import insert_copies
from benchmarks.figures import Figure, at_most, holds, processor_time, shown
from benchmarks.scene import Scene

FOLLOWERS, SENT = 10_000, 2_000
KILLED_AFTER = SENT // 2
ASKING_MS, WRITING_SECONDS = 500, 60
PATIENCE_SECONDS = 600
UNLIMITED = {"CAMPAIGN_EMAILS_PER_HOUR": 1_000_000, "FREE_INVITATIONS_PER_MONTH": 1_000_000}


def measure(scene: Scene) -> list[Figure]:
    """Measure with the program restarted without the hourly and monthly limits of emails."""
    more = {name: str(value) for name, value in UNLIMITED.items()}
    unlimited = override_settings(**UNLIMITED)
    with scene.program.restarted(**more), unlimited, rls.acting_as(rls.PLATFORM):
        return _measure(scene)


def _measure(scene: Scene) -> list[Figure]:
    restaurant = _with_followers(scene)
    before = scene.program.processor_seconds()
    begun = time.perf_counter()
    campaign = schedule_campaign(
        restaurant=restaurant,
        segment=Campaign.Segment.ALL,
        special_id=None,
        subject="",
        note="",
        send_at=None,
        by=None,
        now=clock.now(),
    )
    asking = 1000 * (time.perf_counter() - begun)
    found = Campaign.objects.filter(pk=campaign.pk, is_invited=True)
    writing = _seconds_until(found.exists)
    invitations = EmailInvitation.objects.filter(campaign=campaign)
    written = invitations.count()
    sent = invitations.filter(sent_at__isnull=False)
    sending = time.perf_counter()
    _seconds_until(lambda: sent.count() >= KILLED_AFTER)
    scene.program.kill_and_respawn("worker")
    # Another worker takes what the dead one had once its leases end. This ends them at once.
    waited = HANDED_OVER + LEASE
    mine = invitations.filter(status="queued")
    mine.filter(claimed_at__isnull=False).update(claimed_at=clock.now() - waited)
    mine.update(due_at=clock.now() - timedelta(seconds=1))
    _seconds_until(lambda: sent.count() >= SENT)
    took = time.perf_counter() - sending
    cancel_campaign(restaurant=restaurant, campaign_id=campaign.pk, now=clock.now())
    _seconds_until(lambda: not invitations.filter(status="queued").exists())
    after = scene.program.processor_seconds()
    done = invitations.aggregate(
        sent=Count("pk", filter=Q(sent_at__isnull=False)),
        again=Count("pk", filter=Q(sent_at__isnull=False, attempts__gt=1)),
    )
    files = _emails_of(scene, invitations)
    return [
        at_most(f"email to {FOLLOWERS:,} followers: asking for it", asking, ASKING_MS, " ms"),
        at_most("its invitations are written after", writing, WRITING_SECONDS, " s"),
        holds(
            "each follower is invited once",
            measured=f"{written:,}",
            target=f"{FOLLOWERS:,}",
            reached=written == FOLLOWERS,
        ),
        Figure(f"sending {SENT:,}, the worker killed in the middle", shown(took, " s")),
        holds(
            "messages by Message-ID, of invitations sent",
            measured=f"{files:,} of {done['sent']:,}",
            target="all, each once",
            reached=files == done["sent"],
        ),
        Figure("of these, tried a second time after the kill", f"{done['again']:,}"),
        processor_time("processor time of all that", before, after),
    ]


def _with_followers(scene: Scene) -> Restaurant:
    """The restaurant with its followers, in a time zone where it is noon, because nothing is sent
    at night."""
    now = clock.now()
    zone = f"Etc/GMT{now.hour - 12:+d}"
    Restaurant.objects.filter(pk=scene.restaurant.pk).update(timezone=zone)
    first = Subscriber.objects.create(
        restaurant=scene.restaurant,
        email="follower@example.test",
        status=Subscriber.Status.CONFIRMED,
        consent_at=now,
        changed_at=now,
        language="en-us",
    )
    insert_copies(
        first,
        f"generate_series(2, {FOLLOWERS}) AS n",
        id="gen_random_uuid()",
        email="'follower' || n || '@example.test'",
    )
    return Restaurant.objects.get(pk=scene.restaurant.pk)


def _emails_of(scene: Scene, invitations: QuerySet[EmailInvitation]) -> int:
    """How many of these invitations the email folder has. Its files are named by Message-ID."""
    known = {str(key) for key in invitations.values_list("pk", flat=True)}
    folder = Path(scene.program.folder) / "mail"
    return sum(each.stem in known for each in folder.glob("*.eml"))


def _seconds_until(holds_now: Callable[[], bool]) -> float:
    """Raises TimeoutError after `PATIENCE_SECONDS`."""
    begun = time.perf_counter()
    while not holds_now():
        if time.perf_counter() - begun > PATIENCE_SECONDS:
            raise TimeoutError
        time.sleep(0.25)
    return time.perf_counter() - begun
