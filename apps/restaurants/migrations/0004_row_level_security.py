from django.db import migrations

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [("restaurants", "0003_addresses_and_team")]

    operations = protect(
        "restaurants_restauranttransition",
        "restaurants_formeraddress",
        "restaurants_invitation",
    )
