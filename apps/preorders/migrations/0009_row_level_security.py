from django.db import migrations

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [("preorders", "0008_carts")]

    operations = protect("preorders_cart")
