"""Early fraud warnings: recorded, told, and ended by a refund."""

import stripe as stripe_api

from apps.preorders.models import EarlyFraudWarning, Email
from tests.preorders.disputes import (
    WARNING,
    charged,
    hear,
    sweep,
)


def test_early_fraud_warning_is_recorded_and_ends_with_a_refund(world):
    order = charged(world, WARNING)
    found = stripe_api.radar.EarlyFraudWarning.list(payment_intent=order.payment_intent_id).data[0]
    hear(
        world,
        ("radar.early_fraud_warning.created", found.id),
        ("radar.early_fraud_warning.created", found.id),
    )
    warning = EarlyFraudWarning.objects.get()
    assert (warning.pre_order_id, warning.is_actionable) == (order.pk, True)
    assert Email.objects.filter(fraud_warning=warning).count() == 1
    world.refund(order)
    world.work()
    hear(world, ("radar.early_fraud_warning.updated", found.id))
    warning.refresh_from_db()
    assert not warning.is_actionable
    assert Email.objects.filter(fraud_warning=warning).count() == 1


def test_reconciler_finds_a_warning_whose_webhook_was_lost(world):
    charged(world, WARNING)
    sweep(world, minutes=5)
    assert EarlyFraudWarning.objects.get().is_actionable
