from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("marketing", "0002_returns")]

    operations = [
        ValidateConstraint(model_name="campaign", name="return_is_about_a_special"),
    ]
