from django.db import migrations
from django.db.models import F, OuterRef, Subquery

from apps.common import rls


def note_refunds_so_far(apps, schema_editor):
    """Until now a refund was of the whole charge, and all of both fees went back with it."""
    PreOrder = apps.get_model("preorders", "PreOrder")
    PaymentHistory = apps.get_model("billing", "PaymentHistory")
    with rls.acting_as(rls.PLATFORM):
        PreOrder.objects.filter(payment_status="refunded", refunded_amount=0).update(
            refunded_amount=F("total_amount")
        )
        fee = PreOrder.objects.filter(pk=OuterRef("pre_order_id")).values("processing_fee")
        PaymentHistory.objects.filter(
            transaction_type="refund", reference="full", processing_fee_amount=0
        ).update(processing_fee_amount=Subquery(fee))


class Migration(migrations.Migration):
    dependencies = [
        ("preorders", "0006_refunds_in_parts"),
        ("billing", "0004_refunded_processing_fee"),
    ]

    operations = [
        migrations.RunPython(note_refunds_so_far, migrations.RunPython.noop, elidable=True)
    ]
