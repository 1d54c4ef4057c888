from django.db import migrations

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [("offers", "0003_diets_slots_and_changes")]

    operations = protect("offers_offerchange", "offers_pickupslot", "offers_offerviews")
