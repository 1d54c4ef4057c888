from django.db import migrations

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [("restaurants", "0001_initial")]

    operations = protect("restaurants_membership")
