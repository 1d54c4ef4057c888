from django.db import migrations

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [("preorders", "0001_initial")]

    operations = protect(
        "preorders_preorder",
        "preorders_preordertransition",
        "preorders_paymentoperation",
        "preorders_ordermail",
    )
