from django.db import migrations, models

import apps.common.ids
from apps.common import rls


def give_share_codes(apps, schema_editor):
    """Orders from before there were share links get one too; the code is random, as a new one."""
    with rls.acting_as(rls.PLATFORM), schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "UPDATE preorders_preorder "
            "SET share_code = left(replace(gen_random_uuid()::text, '-', ''), 12) "
            "WHERE share_code = ''"
        )


class Migration(migrations.Migration):
    dependencies = [("preorders", "0016_waiting_list_and_share_links")]

    operations = [
        *rls.protect("preorders_waitingplace", "preorders_waitingletter"),
        migrations.RunPython(give_share_codes, migrations.RunPython.noop, elidable=True),
        # No statement of the database's: from here on a new order has a code of its own.
        migrations.AlterField(
            model_name="preorder",
            name="share_code",
            field=models.CharField(default=apps.common.ids.share_code, max_length=12),
        ),
        migrations.AddConstraint(
            model_name="preorder",
            constraint=models.UniqueConstraint(
                fields=("restaurant", "share_code"), name="one_share_link"
            ),
        ),
    ]
