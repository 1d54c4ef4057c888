import uuid

import django.db.models.deletion
from django.db import migrations, models

from apps.common.rls import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("restaurants", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Photo",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("width", models.PositiveIntegerField()),
                ("height", models.PositiveIntegerField()),
                ("widths", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="photos",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Dish",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True, max_length=2000)),
                ("price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("allergens", models.JSONField(blank=True, default=list)),
                ("dietary", models.JSONField(blank=True, default=list)),
                ("position", models.PositiveIntegerField(default=0)),
                ("hidden_at", models.DateTimeField(blank=True, null=True)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="dishes",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "photo",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="offers.photo",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "dishes",
                "ordering": ["position", "name"],
            },
        ),
        migrations.CreateModel(
            name="SpecialOffer",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True, max_length=2000)),
                ("regular_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("special_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("serve_date", models.DateField()),
                ("deadline", models.DateTimeField()),
                ("min_preorders", models.PositiveIntegerField()),
                ("max_preorders", models.PositiveIntegerField(blank=True, null=True)),
                ("max_per_order", models.PositiveIntegerField(default=20)),
                ("restaurant_portions", models.PositiveIntegerField(default=0)),
                ("goes_ahead", models.BooleanField(default=False)),
                ("allergens", models.JSONField(blank=True, default=list)),
                ("dietary", models.JSONField(blank=True, default=list)),
                ("has_alternative", models.BooleanField(default=False)),
                ("revenue_share_rate", models.DecimalField(decimal_places=2, max_digits=5)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("closing", "Closing"),
                            ("succeeded", "Went ahead"),
                            ("failed", "Did not go ahead"),
                            ("deleted", "Deleted"),
                        ],
                        default="active",
                        max_length=20,
                    ),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField()),
                ("ordered_portions", models.PositiveIntegerField(default=0)),
                ("reserved_portions", models.PositiveIntegerField(default=0)),
                (
                    "alternative_dish",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="offers.dish",
                    ),
                ),
                (
                    "photo",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="offers.photo",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="special_offers",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PickupSlot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("capacity", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="slots",
                        to="offers.specialoffer",
                    ),
                ),
            ],
            options={
                "ordering": ["starts_at"],
            },
        ),
        migrations.CreateModel(
            name="OfferViews",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("visits", models.PositiveIntegerField(default=0)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="views",
                        to="offers.specialoffer",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "offer views",
            },
        ),
        migrations.CreateModel(
            name="OfferVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True, max_length=2000)),
                ("allergens", models.JSONField(blank=True, default=list)),
                ("dietary", models.JSONField(blank=True, default=list)),
                ("regular_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("special_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("alternative_name", models.CharField(blank=True, max_length=200)),
                ("alternative_description", models.TextField(blank=True, max_length=2000)),
                ("alternative_allergens", models.JSONField(blank=True, default=list)),
                ("alternative_dietary", models.JSONField(blank=True, default=list)),
                (
                    "alternative_price",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=10, null=True),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "alternative_photo",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="offers.photo",
                    ),
                ),
                (
                    "photo",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="offers.photo",
                    ),
                ),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="offers.specialoffer",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="OfferTransition",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("field", models.CharField(max_length=20)),
                ("old", models.CharField(max_length=20)),
                ("new", models.CharField(max_length=20)),
                ("reason_code", models.CharField(blank=True, max_length=60)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("actor", models.CharField(blank=True, max_length=100)),
                ("at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="transitions",
                        to="offers.specialoffer",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="OfferChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("edited", "Edited"),
                            ("minimum_lowered", "Minimum lowered"),
                            ("goes_ahead", "Going ahead anyway"),
                            ("restaurant_portions", "Restaurant portions"),
                            ("extended", "Deadline extended"),
                            ("canceled", "Canceled"),
                        ],
                        max_length=20,
                    ),
                ),
                ("detail", models.CharField(max_length=300)),
                ("portions_before", models.PositiveIntegerField(null=True)),
                ("portions_after", models.PositiveIntegerField(null=True)),
                ("guests_told", models.PositiveIntegerField(default=0)),
                ("by", models.CharField(blank=True, max_length=100)),
                ("at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="offers.specialoffer",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="dish",
            constraint=models.CheckConstraint(
                condition=models.Q(("price__gt", 0)), name="dish_has_a_price"
            ),
        ),
        migrations.AddIndex(
            model_name="specialoffer",
            index=models.Index(fields=["restaurant", "-deadline"], name="offers_of_a_restaurant"),
        ),
        migrations.AddIndex(
            model_name="specialoffer",
            index=models.Index(
                condition=models.Q(("status__in", ["active", "closing"])),
                fields=["deadline"],
                name="offers_undecided",
            ),
        ),
        migrations.AddIndex(
            model_name="specialoffer",
            index=models.Index(
                condition=models.Q(("status__in", ["failed", "succeeded"])),
                fields=["serve_date"],
                name="offers_served",
            ),
        ),
        migrations.AddConstraint(
            model_name="specialoffer",
            constraint=models.CheckConstraint(
                condition=models.Q(("special_price__gt", 0)), name="special_price_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="specialoffer",
            constraint=models.CheckConstraint(
                condition=models.Q(("special_price__lt", models.F("regular_price"))),
                name="special_below_regular",
            ),
        ),
        migrations.AddConstraint(
            model_name="specialoffer",
            constraint=models.CheckConstraint(
                condition=models.Q(("min_preorders__gte", 1)), name="minimum_at_least_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="specialoffer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("max_preorders__isnull", True),
                    ("max_preorders__gte", models.F("min_preorders")),
                    _connector="OR",
                ),
                name="minimum_within_maximum",
            ),
        ),
        migrations.AddConstraint(
            model_name="specialoffer",
            constraint=models.CheckConstraint(
                condition=models.Q(("max_per_order__gte", 1)), name="order_maximum_at_least_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="pickupslot",
            constraint=models.UniqueConstraint(
                fields=("offer", "starts_at"), name="one_slot_per_start"
            ),
        ),
        migrations.AddConstraint(
            model_name="pickupslot",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends_at__gt", models.F("starts_at"))), name="slot_has_length"
            ),
        ),
        migrations.AddIndex(
            model_name="offerviews",
            index=models.Index(fields=["restaurant", "day"], name="visits_by_day"),
        ),
        migrations.AddConstraint(
            model_name="offerviews",
            constraint=models.UniqueConstraint(fields=("offer", "day"), name="visits_of_a_day"),
        ),
        migrations.AddConstraint(
            model_name="offerversion",
            constraint=models.UniqueConstraint(
                fields=("offer", "number"), name="one_version_per_number"
            ),
        ),
        *protect(
            "offers_photo",
            "offers_dish",
            "offers_specialoffer",
            "offers_offerversion",
            "offers_offertransition",
            "offers_offerchange",
            "offers_pickupslot",
            "offers_offerviews",
        ),
    ]
