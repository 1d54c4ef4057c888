from django.db import migrations

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [("preorders", "0003_notes_slots_and_partial_refunds")]

    operations = protect("preorders_ordernote", "preorders_offerletter")
