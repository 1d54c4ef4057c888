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
            name="CalendarFeed",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="OfferSeries",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("regular_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("special_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("min_preorders", models.PositiveIntegerField()),
                ("max_preorders", models.PositiveIntegerField(blank=True, null=True)),
                ("weekday", models.PositiveSmallIntegerField()),
                ("deadline_days_before", models.PositiveSmallIntegerField()),
                ("deadline_time", models.TimeField()),
                ("opens_days_before", models.PositiveSmallIntegerField()),
                ("next_serve_date", models.DateField()),
                ("due_at", models.DateTimeField()),
                ("created_at", models.DateTimeField()),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "offer series",
            },
        ),
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
                ("translations", models.JSONField(blank=True, default=dict)),
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
            name="Branding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_published", models.BooleanField()),
                ("accent", models.CharField(blank=True, max_length=7)),
                ("footer", models.CharField(blank=True, max_length=300)),
                ("hides_platform", models.BooleanField(default=False)),
                (
                    "menu_layout",
                    models.CharField(
                        choices=[
                            ("list", "A list with small photos"),
                            ("photos", "Large photos"),
                            ("text", "Text alone"),
                        ],
                        default="list",
                        max_length=10,
                    ),
                ),
                ("changed_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="brandings",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "cover",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="offers.photo",
                    ),
                ),
                (
                    "logo",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="offers.photo",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SpecialOffer",
            fields=[
                ("translations", models.JSONField(blank=True, default=dict)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True, max_length=2000)),
                ("story", models.TextField(blank=True, max_length=1000)),
                ("regular_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("special_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("serve_date", models.DateField()),
                (
                    "service_mode",
                    models.CharField(
                        choices=[
                            ("dine_in", "Dine in"),
                            ("pickup", "Pickup"),
                            ("both", "Dine in or pickup"),
                        ],
                        default="both",
                        max_length=10,
                    ),
                ),
                ("serve_from", models.TimeField(blank=True, null=True)),
                ("serve_until", models.TimeField(blank=True, null=True)),
                ("deadline", models.DateTimeField()),
                ("min_preorders", models.PositiveIntegerField()),
                ("max_preorders", models.PositiveIntegerField(blank=True, null=True)),
                ("max_per_order", models.PositiveIntegerField(default=20)),
                ("friend_hours", models.PositiveSmallIntegerField(default=24)),
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
                ("ratings", models.PositiveIntegerField(default=0)),
                ("good_ratings", models.PositiveIntegerField(default=0)),
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
            name="SeriesDate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("serve_date", models.DateField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("skipped", "Skipped"),
                            ("published", "Published"),
                            ("refused", "Not published"),
                            ("missed", "Missed"),
                        ],
                        max_length=20,
                    ),
                ),
                ("refusal", models.CharField(blank=True, max_length=500)),
                ("emailed_at", models.DateTimeField(blank=True, null=True)),
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
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="dates",
                        to="offers.offerseries",
                    ),
                ),
                (
                    "offer",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="series_date",
                        to="offers.specialoffer",
                    ),
                ),
            ],
            options={
                "ordering": ["serve_date"],
            },
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
                ("translations", models.JSONField(blank=True, default=dict)),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True, max_length=2000)),
                ("allergens", models.JSONField(blank=True, default=list)),
                ("dietary", models.JSONField(blank=True, default=list)),
                ("regular_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("special_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("alternative_name", models.CharField(blank=True, max_length=200)),
                ("alternative_translations", models.JSONField(blank=True, default=dict)),
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
        migrations.AddField(
            model_name="offerseries",
            name="pattern",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="offers.specialoffer",
            ),
        ),
        migrations.CreateModel(
            name="OfferPhoto",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "photo",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="offers.photo",
                    ),
                ),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="more_photos",
                        to="offers.specialoffer",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
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
                            ("message", "Guests messaged"),
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
        migrations.AddConstraint(
            model_name="branding",
            constraint=models.UniqueConstraint(
                fields=("restaurant", "is_published"), name="one_branding_each"
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
            model_name="specialoffer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("serve_until__isnull", True),
                    models.Q(
                        ("serve_from__isnull", False), ("serve_until__gt", models.F("serve_from"))
                    ),
                    _connector="OR",
                ),
                name="serving_ends_after_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="seriesdate",
            constraint=models.UniqueConstraint(
                fields=("series", "serve_date"), name="series_date_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="seriesdate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("offer__isnull", False), ("status", "published")),
                    models.Q(
                        models.Q(("status", "published"), _negated=True), ("offer__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="published_date_has_its_offer",
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
        migrations.AddIndex(
            model_name="offerseries",
            index=models.Index(
                condition=models.Q(("stopped_at__isnull", True)),
                fields=["due_at"],
                name="series_running",
            ),
        ),
        migrations.AddIndex(
            model_name="offerseries",
            index=models.Index(fields=["restaurant", "created_at"], name="series_of_a_restaurant"),
        ),
        migrations.AddConstraint(
            model_name="offerseries",
            constraint=models.CheckConstraint(
                condition=models.Q(("weekday__lte", 6)), name="series_weekday"
            ),
        ),
        migrations.AddConstraint(
            model_name="offerseries",
            constraint=models.CheckConstraint(
                condition=models.Q(("opens_days_before__gte", 1), ("opens_days_before__lte", 7)),
                name="series_opens_within_a_hold",
            ),
        ),
        migrations.AddConstraint(
            model_name="offerseries",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("special_price__gt", 0), ("special_price__lt", models.F("regular_price"))
                ),
                name="series_price_below_regular",
            ),
        ),
        migrations.AddConstraint(
            model_name="offerseries",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("min_preorders__gte", 1),
                    models.Q(
                        ("max_preorders__isnull", True),
                        ("max_preorders__gte", models.F("min_preorders")),
                        _connector="OR",
                    ),
                ),
                name="series_minimum_within_maximum",
            ),
        ),
        migrations.AddConstraint(
            model_name="offerphoto",
            constraint=models.UniqueConstraint(
                fields=("offer", "position"), name="one_photo_per_position"
            ),
        ),
        *protect(
            "offers_photo",
            "offers_branding",
            "offers_dish",
            "offers_specialoffer",
            "offers_offerphoto",
            "offers_offerversion",
            "offers_offertransition",
            "offers_offerchange",
            "offers_pickupslot",
            "offers_offerviews",
            "offers_offerseries",
            "offers_seriesdate",
            "offers_calendarfeed",
        ),
    ]
