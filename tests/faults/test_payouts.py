"""A worker dies around any call about a payout; the next one finishes, and one payout is made."""

import stripe as stripe_api

from apps.billing import payouts, tasks
from apps.billing.models import ConnectAccount, Payout
from tests.faults.test_killed_workers import around
from tests.preorders.disputes import charged


def test_a_worker_killed_while_requesting_a_payout_requests_one(world, mortals):
    charged(world)
    world.later(days=10)
    payouts.schedule_payouts(now=world.now)
    payout = Payout.objects.get()
    account = ConnectAccount.objects.get(restaurant=world.restaurant).account_id
    deaths: list[str] = []
    for moment in range(20):
        death = mortals.run("run_payout", str(payout.pk), now=world.now, moment=moment)
        if not death.killed:
            break
        deaths.append(death.where)
        world.later(minutes=10)  # the lease of the dead is over
    assert set(around("account_balance", "create_payout")) <= set(deaths)
    tasks.schedule_payouts.delay()
    world.work()
    (sent,) = stripe_api.Payout.list(stripe_account=account).data
    assert world.fresh(payout).payout_id == sent.id
