from django.db import migrations

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [("billing", "0001_initial")]

    operations = protect(
        "billing_connectaccount",
        "billing_monthlybillingcycle",
        "billing_paymenthistory",
        "billing_platformfee",
    )
