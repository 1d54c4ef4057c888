import datetime
import uuid

import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import apps.common.ids
import apps.common.languages
from apps.common.rls import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("offers", "0001_initial"),
        ("restaurants", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ExpirationRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "trigger",
                    models.CharField(
                        choices=[
                            ("schedule", "Scheduler"),
                            ("staff", "Staff"),
                            ("command", "Command"),
                        ],
                        max_length=20,
                    ),
                ),
                ("started_by", models.CharField(blank=True, max_length=100)),
                ("started_at", models.DateTimeField(db_index=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("processed_specials", models.PositiveIntegerField(default=0)),
                ("confirmed_orders", models.PositiveIntegerField(default=0)),
                ("cancelled_orders", models.PositiveIntegerField(default=0)),
                ("waiting_specials", models.PositiveIntegerField(default=0)),
                ("failed_specials", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Cart",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("fingerprint", models.CharField(blank=True, max_length=64)),
                (
                    "setup_intent_id",
                    models.CharField(blank=True, max_length=255, null=True, unique=True),
                ),
                ("payment_customer_id", models.CharField(blank=True, max_length=255)),
                ("payment_method_id", models.CharField(blank=True, max_length=255)),
                ("created_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Dispute",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("warning_needs_response", "The bank asks"),
                            ("warning_under_review", "The bank reviews the answer"),
                            ("warning_closed", "Inquiry closed"),
                            ("needs_response", "Needs an answer"),
                            ("under_review", "The bank reviews the evidence"),
                            ("won", "Won"),
                            ("lost", "Lost"),
                            ("prevented", "Prevented"),
                        ],
                        max_length=30,
                    ),
                ),
                ("amount", models.DecimalField(decimal_places=2, max_digits=10)),
                ("withdrawn", models.DecimalField(decimal_places=2, default=0, max_digits=10)),
                ("fee", models.DecimalField(decimal_places=2, default=0, max_digits=10)),
                ("movements", models.PositiveSmallIntegerField(default=0)),
                ("reason", models.CharField(max_length=60)),
                ("network_reason_code", models.CharField(blank=True, max_length=60)),
                ("due_by", models.DateTimeField(null=True)),
                ("submissions", models.PositiveSmallIntegerField(default=0)),
                ("remarks", models.CharField(blank=True, max_length=5000)),
                ("opened_at", models.DateTimeField()),
                ("read_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("dispute_id", models.CharField(max_length=255, unique=True)),
                ("charge_id", models.CharField(max_length=255)),
                ("payment_intent_id", models.CharField(max_length=255)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DisputeTransition",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason_code", models.CharField(blank=True, max_length=60)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("actor", models.CharField(blank=True, max_length=100)),
                ("at", models.DateTimeField()),
                ("field", models.CharField(max_length=20)),
                ("old", models.CharField(max_length=30)),
                ("new", models.CharField(max_length=30)),
                (
                    "dispute",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="transitions",
                        to="preorders.dispute",
                    ),
                ),
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
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ExpirationSchedule",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(
                        default=1, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("interval_minutes", models.PositiveSmallIntegerField(default=60)),
                ("next_run_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="one_expiration_schedule"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("interval_minutes__range", (5, 1440))),
                        name="interval_of_5_to_1440_minutes",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GuestMessage",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("text", models.TextField(max_length=1000)),
                ("by", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="offers.specialoffer",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NoticePreference",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_order", models.BooleanField(default=True)),
                ("needs_a_push", models.BooleanField(default=True)),
                ("payment_problem", models.BooleanField(default=True)),
                ("offer_result", models.BooleanField(default=True)),
                ("quiet_from", models.TimeField(default=datetime.time(22, 0))),
                ("quiet_until", models.TimeField(default=datetime.time(8, 0))),
                ("changed_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PreOrder",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=apps.common.ids.order_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("quantity", models.PositiveIntegerField(default=1)),
                ("unit_price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("subtotal", models.DecimalField(decimal_places=2, max_digits=10)),
                ("tax_rate", models.DecimalField(decimal_places=4, max_digits=6)),
                ("tax", models.DecimalField(decimal_places=2, max_digits=10)),
                ("total_amount", models.DecimalField(decimal_places=2, max_digits=10)),
                ("revenue_share_rate", models.DecimalField(decimal_places=2, max_digits=5)),
                ("revenue_share", models.DecimalField(decimal_places=2, max_digits=10)),
                ("processing_fee", models.DecimalField(decimal_places=2, max_digits=10)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("confirmed", "Confirmed"),
                            ("cancelled", "Canceled"),
                            ("fulfilled", "Picked up"),
                            ("no_show", "No-show"),
                        ],
                        default="pending",
                        max_length=20,
                    ),
                ),
                (
                    "payment_status",
                    models.CharField(
                        choices=[
                            ("unpaid", "Not paid yet"),
                            ("requires_action", "Waiting for the bank"),
                            ("authorized", "Card held"),
                            ("captured", "Card charged"),
                            ("capture_failed", "Charge failed"),
                            ("released", "Hold released"),
                            ("refunded", "Refunded"),
                        ],
                        default="unpaid",
                        max_length=20,
                    ),
                ),
                (
                    "refunded_amount",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                (
                    "returned_amount",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                (
                    "overtaken_amount",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                (
                    "disputed_amount",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("web", "Ordered online"), ("phone", "Ordered by phone")],
                        default="web",
                        max_length=10,
                    ),
                ),
                ("customer_name", models.CharField(max_length=100)),
                ("customer_email", models.EmailField(blank=True, max_length=255)),
                ("customer_phone", models.CharField(max_length=50)),
                ("language", models.CharField(default=apps.common.languages.spoken, max_length=10)),
                ("note", models.CharField(blank=True, max_length=500)),
                (
                    "service_mode",
                    models.CharField(
                        blank=True,
                        choices=[("dine_in", "Dine in"), ("pickup", "Pickup")],
                        max_length=10,
                    ),
                ),
                (
                    "alternative_price",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=10, null=True),
                ),
                ("serves_alternative", models.BooleanField(default=False)),
                ("consent_text", models.TextField(blank=True)),
                ("terms_version", models.CharField(blank=True, max_length=10)),
                ("consented_at", models.DateTimeField(null=True)),
                ("share_code", models.CharField(default=apps.common.ids.share_code, max_length=12)),
                ("link_visits", models.PositiveIntegerField(default=0)),
                ("friend_portions", models.PositiveSmallIntegerField(default=0)),
                ("friends_until", models.DateTimeField(null=True)),
                ("shows_first_name", models.BooleanField(default=False)),
                (
                    "reservation",
                    models.CharField(
                        choices=[
                            ("reserved", "Reserved"),
                            ("lapsed", "No card in time"),
                            ("returned", "The guest left the checkout"),
                        ],
                        default="reserved",
                        max_length=10,
                    ),
                ),
                ("reserved_until", models.DateTimeField(null=True)),
                ("origin_network", models.CharField(blank=True, max_length=32)),
                ("origin_device", models.CharField(blank=True, max_length=32)),
                (
                    "checkout_session_id",
                    models.CharField(blank=True, max_length=255, null=True, unique=True),
                ),
                ("checkout_url", models.URLField(blank=True, max_length=2048)),
                ("checkout_expires_at", models.DateTimeField()),
                (
                    "payment_intent_id",
                    models.CharField(blank=True, max_length=255, null=True, unique=True),
                ),
                ("payment_customer_id", models.CharField(blank=True, max_length=255)),
                ("payment_method_id", models.CharField(blank=True, max_length=255)),
                ("statement_name", models.CharField(blank=True, max_length=40)),
                ("capture_before", models.DateTimeField(null=True)),
                ("authorized_at", models.DateTimeField(null=True)),
                ("payment_processed_at", models.DateTimeField(null=True)),
                ("would_order_again", models.BooleanField(null=True)),
                ("rated_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField()),
                ("link_revision", models.PositiveSmallIntegerField(default=0)),
                (
                    "short_code",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.functions.text.Upper(
                            django.db.models.functions.text.Right(
                                django.db.models.functions.comparison.Cast(
                                    "id", models.TextField()
                                ),
                                8,
                            )
                        ),
                        output_field=models.CharField(max_length=8),
                    ),
                ),
                (
                    "search_text",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Func(
                            django.db.models.functions.text.Concat(
                                django.db.models.functions.text.Lower("customer_name"),
                                models.Value("\n"),
                                django.db.models.functions.text.Lower("customer_email"),
                                models.Value("\n"),
                                models.Func(
                                    models.F("customer_phone"),
                                    models.Value("\\D"),
                                    models.Value(""),
                                    models.Value("g"),
                                    function="REGEXP_REPLACE",
                                    output_field=models.TextField(),
                                ),
                                models.Value("\n"),
                                django.db.models.functions.text.Right(
                                    django.db.models.functions.comparison.Cast(
                                        "id", models.TextField()
                                    ),
                                    8,
                                ),
                                output_field=models.TextField(),
                            ),
                            models.Value("àáâãäåāçčèéêëēìíîïīñòóôõöøōùúûüūýÿšžłğş"),
                            models.Value("aaaaaaacceeeeeiiiiinooooooouuuuuyyszlgs"),
                            function="TRANSLATE",
                            output_field=models.TextField(),
                        ),
                        output_field=models.TextField(),
                    ),
                ),
                (
                    "cart",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="preorders.cart",
                    ),
                ),
                (
                    "friend_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="friends",
                        to="preorders.preorder",
                    ),
                ),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pre_orders",
                        to="offers.specialoffer",
                    ),
                ),
                (
                    "pickup_slot",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pre_orders",
                        to="offers.pickupslot",
                    ),
                ),
                (
                    "referred_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="referrals",
                        to="preorders.preorder",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pre_orders",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "sold",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pre_orders",
                        to="offers.offerversion",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PickupCheckIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField()),
                ("made_at", models.DateTimeField()),
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
                    "pre_order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="check_ins",
                        to="preorders.preorder",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PaymentOperation",
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
                            ("authorize", "Authorize"),
                            ("capture", "Capture"),
                            ("release", "Release"),
                            ("renew", "Renew"),
                            ("refund", "Refund"),
                            ("forget", "Forget"),
                            ("reverse_transfer", "Reverse Transfer"),
                            ("return_transfer", "Return Transfer"),
                            ("answer_dispute", "Answer Dispute"),
                            ("accept_dispute", "Accept Dispute"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "stage",
                    models.CharField(
                        choices=[
                            ("hold", "Hold"),
                            ("retry", "Retry"),
                            ("pay_link", "Pay Link"),
                            ("clean_up", "Clean Up"),
                        ],
                        default="hold",
                        max_length=20,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("done", "Done"), ("failed", "Failed")],
                        default="pending",
                        max_length=20,
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("epoch", models.PositiveIntegerField(default=0)),
                ("amount", models.DecimalField(decimal_places=2, max_digits=10, null=True)),
                ("refund_up_to", models.DecimalField(decimal_places=2, max_digits=10, null=True)),
                ("quantity", models.PositiveIntegerField(null=True)),
                ("reason_code", models.CharField(blank=True, max_length=60)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("actor", models.CharField(blank=True, max_length=100)),
                (
                    "instruction",
                    models.CharField(blank=True, choices=[("give_up", "Give Up")], max_length=20),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("due_at", models.DateTimeField()),
                ("reference", models.CharField(blank=True, max_length=255)),
                ("error", models.CharField(blank=True, max_length=255)),
                ("created_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "dispute",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="operations",
                        to="preorders.dispute",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "pre_order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="operations",
                        to="preorders.preorder",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="OrderNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=1000)),
                ("by", models.CharField(max_length=100)),
                ("at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "pre_order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes",
                        to="preorders.preorder",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EarlyFraudWarning",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("fraud_type", models.CharField(max_length=60)),
                ("is_actionable", models.BooleanField()),
                ("opened_at", models.DateTimeField()),
                ("read_at", models.DateTimeField()),
                ("warning_id", models.CharField(max_length=255, unique=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "pre_order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="fraud_warnings",
                        to="preorders.preorder",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="dispute",
            name="pre_order",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="disputes",
                to="preorders.preorder",
            ),
        ),
        migrations.CreateModel(
            name="PreOrderTransition",
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
                    "pre_order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="transitions",
                        to="preorders.preorder",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("endpoint", models.CharField(max_length=500)),
                ("p256dh", models.CharField(max_length=100)),
                ("auth", models.CharField(max_length=50)),
                ("language", models.CharField(max_length=10)),
                ("created_at", models.DateTimeField()),
                (
                    "offer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to="offers.specialoffer",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PushMessage",
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
                            ("one_more", "One more portion is needed"),
                            ("its_on", "The minimum is reached"),
                            ("offer_result", "How a special ended"),
                            ("payment_problem", "A guest's card was declined"),
                            (
                                "needs_a_push",
                                "A special is short of its minimum six hours before it closes",
                            ),
                            ("first_order", "The first order of a special"),
                        ],
                        max_length=30,
                    ),
                ),
                ("due_at", models.DateTimeField()),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="offers.specialoffer",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="preorders.pushsubscription",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SettlementPause",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("scheduler", "Automatic settlement"),
                            ("all", "All settlement"),
                            ("restaurant", "A restaurant"),
                            ("special", "A special"),
                            ("operation", "A payment operation"),
                        ],
                        max_length=20,
                    ),
                ),
                ("target", models.UUIDField(null=True)),
                ("reason", models.CharField(blank=True, max_length=255)),
                ("started_at", models.DateTimeField()),
                ("started_by", models.CharField(blank=True, max_length=100)),
                ("ends_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by", models.CharField(blank=True, max_length=100)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("scope", "target"),
                        name="one_pause_of_each",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None), ("target", None)),
                        fields=("scope",),
                        name="one_pause_of_everything",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("scope__in", ("scheduler", "all")), ("target", None)),
                            models.Q(
                                models.Q(("scope__in", ("scheduler", "all")), _negated=True),
                                ("target__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="a_pause_has_its_target",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Subscriber",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("email", models.EmailField(max_length=255)),
                ("name", models.CharField(blank=True, max_length=255)),
                ("language", models.CharField(default=apps.common.languages.spoken, max_length=10)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("none", "Not subscribed"),
                            ("pending", "Waiting for confirmation"),
                            ("confirmed", "Subscribed"),
                            ("unsubscribed", "Unsubscribed"),
                            ("suppressed", "Can't be emailed"),
                        ],
                        default="none",
                        max_length=15,
                    ),
                ),
                ("reminders", models.BooleanField(default=True)),
                (
                    "source",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("order", "With an order"),
                            ("follow", "On your public page"),
                            ("import", "Imported by you"),
                            ("preferences", "In their email preferences"),
                        ],
                        max_length=15,
                    ),
                ),
                ("consent_at", models.DateTimeField(blank=True, null=True)),
                ("consent_context", models.CharField(blank=True, max_length=500)),
                ("consent_words", models.TextField(blank=True)),
                ("confirmation_due_at", models.DateTimeField(blank=True, null=True)),
                ("confirmation_attempts", models.PositiveSmallIntegerField(default=0)),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("stopped_at", models.DateTimeField(null=True)),
                (
                    "suppressed_for",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("bounce", "The address doesn't take emails."),
                            ("complaint", "They reported an email as spam."),
                        ],
                        max_length=15,
                    ),
                ),
                ("changed_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "wanted_offer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="offers.specialoffer",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WaitlistEntry",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("email", models.EmailField(max_length=255)),
                ("phone", models.CharField(blank=True, max_length=50)),
                ("portions", models.PositiveIntegerField()),
                ("language", models.CharField(default=apps.common.languages.spoken, max_length=10)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("invited", "Portions kept"),
                            ("taken", "Ordered"),
                            ("left", "Left"),
                            ("lapsed", "Didn't order in time"),
                            ("ended", "No portions opened up"),
                        ],
                        default="waiting",
                        max_length=20,
                    ),
                ),
                ("joined_at", models.DateTimeField()),
                ("reserved_until", models.DateTimeField(null=True)),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="waitlist_entries",
                        to="offers.specialoffer",
                    ),
                ),
                (
                    "pre_order",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="waitlist_entries",
                        to="preorders.preorder",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Email",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("received", "Received"),
                            ("charged_early", "Charged Early"),
                            ("dish_changed", "Dish Changed"),
                            ("confirmed", "Confirmed"),
                            ("released", "Released"),
                            ("payment_needed", "Payment Needed"),
                            ("payment_lapsed", "Payment Lapsed"),
                            ("renew_authorization", "Renew Authorization"),
                            ("refunded", "Refunded"),
                            ("refund_returned", "Refund Returned"),
                            ("payment_disputed", "Payment Disputed"),
                            ("dispute_settled", "Dispute Settled"),
                            ("cancelled", "Cancelled"),
                            ("pay_link", "Pay Link"),
                            ("extended", "Extended"),
                            ("guest_message", "Guest Message"),
                            ("declined", "Declined"),
                            ("unfinished", "Unfinished"),
                            ("pick_up", "Pick Up"),
                            ("rejoin", "Rejoin"),
                            ("how_was_it", "How Was It"),
                            ("friend_joined", "Friend Joined"),
                            ("change_link", "Change Link"),
                            ("data_link", "Data Link"),
                            ("my_orders", "My Orders"),
                            ("new_link", "New Link"),
                            ("waitlist_joined", "Waitlist Joined"),
                            ("waitlist_invited", "Waitlist Invited"),
                            ("waitlist_ended", "Waitlist Ended"),
                            ("kitchen_sheet", "Kitchen Sheet"),
                            ("first_order", "First Order"),
                            ("needs_a_push", "Needs A Push"),
                            ("payment_problem", "Payment Problem"),
                            ("offer_result", "Offer Result"),
                            ("dispute_opened", "Dispute Opened"),
                            ("dispute_due", "Dispute Due"),
                            ("dispute_closed", "Dispute Closed"),
                            ("fraud_warning", "Fraud Warning"),
                        ],
                        max_length=20,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1)),
                ("action_url", models.URLField(blank=True, max_length=2048)),
                ("amount", models.DecimalField(decimal_places=2, max_digits=10, null=True)),
                ("due_at", models.DateTimeField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("error", models.CharField(blank=True, max_length=255)),
                ("sent_at", models.DateTimeField(null=True)),
                ("dropped_at", models.DateTimeField(null=True)),
                (
                    "dispute",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="emails",
                        to="preorders.dispute",
                    ),
                ),
                (
                    "fraud_warning",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="emails",
                        to="preorders.earlyfraudwarning",
                    ),
                ),
                (
                    "offer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="emails",
                        to="offers.specialoffer",
                    ),
                ),
                (
                    "recipient",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="emails",
                        to="preorders.guestmessage",
                    ),
                ),
                (
                    "friend",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="preorders.preorder",
                    ),
                ),
                (
                    "pre_order",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="emails",
                        to="preorders.preorder",
                    ),
                ),
                (
                    "waitlist_entry",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="emails",
                        to="preorders.waitlistentry",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="cart",
            index=models.Index(
                condition=models.Q(("fingerprint", ""), _negated=True),
                fields=["restaurant", "fingerprint"],
                name="carts_by_content",
            ),
        ),
        migrations.AddConstraint(
            model_name="noticepreference",
            constraint=models.UniqueConstraint(
                fields=("restaurant", "user"), name="one_notice_preference_each"
            ),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(fields=["restaurant", "-created_at"], name="orders_of_a_restaurant"),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(fields=["offer", "payment_status"], name="orders_by_payment"),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(fields=["offer", "-created_at"], name="orders_of_an_offer"),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(fields=["short_code", "restaurant"], name="orders_by_code"),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(
                condition=models.Q(("status", "pending")),
                fields=["checkout_expires_at"],
                name="orders_in_checkout",
            ),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(
                condition=models.Q(
                    ("payment_status__in", ["requires_action", "unpaid"]),
                    ("reservation", "reserved"),
                    ("status", "pending"),
                ),
                fields=["reserved_until"],
                name="reservations_by_end",
            ),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(
                condition=models.Q(("friend_portions__gt", 0)),
                fields=["friends_until"],
                name="friend_portions_by_end",
            ),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(
                condition=models.Q(("payment_status__in", ["requires_action", "unpaid"])),
                fields=["offer", "-created_at"],
                name="orders_without_card",
            ),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(
                condition=models.Q(("origin_network", ""), _negated=True),
                fields=["created_at"],
                name="orders_with_origin",
            ),
        ),
        migrations.AddIndex(
            model_name="preorder",
            index=models.Index(
                condition=models.Q(("payment_status", "authorized")),
                fields=["capture_before"],
                name="holds_by_expiry",
            ),
        ),
        migrations.AddConstraint(
            model_name="preorder",
            constraint=models.CheckConstraint(
                condition=models.Q(("quantity__gte", 1)), name="at_least_one_portion"
            ),
        ),
        migrations.AddConstraint(
            model_name="preorder",
            constraint=models.UniqueConstraint(
                fields=("restaurant", "share_code"), name="one_share_link"
            ),
        ),
        migrations.AddConstraint(
            model_name="preorder",
            constraint=models.CheckConstraint(
                condition=models.Q(("total_amount__gt", 0)), name="order_costs_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="pickupcheckin",
            constraint=models.UniqueConstraint(fields=("restaurant", "key"), name="check_in_once"),
        ),
        migrations.AddIndex(
            model_name="paymentoperation",
            index=models.Index(
                condition=models.Q(("state", "pending")), fields=["due_at"], name="operations_due"
            ),
        ),
        migrations.AddIndex(
            model_name="paymentoperation",
            index=models.Index(
                condition=models.Q(("quantity__isnull", False), ("state", "pending")),
                fields=["pre_order"],
                name="changes_under_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentoperation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind__in", ["capture", "release"])),
                fields=("pre_order",),
                name="capture_or_release_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentoperation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "refund"), ("state", "pending")),
                fields=("pre_order",),
                name="one_refund_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentoperation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "renew"), ("state", "pending")),
                fields=("pre_order",),
                name="one_renewal_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentoperation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "authorize")),
                fields=("pre_order",),
                name="authorize_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentoperation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "forget")), fields=("pre_order",), name="forget_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentoperation",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("dispute__isnull", False), models.Q(("state", "failed"), _negated=True)
                ),
                fields=("dispute", "kind"),
                name="once_for_each_dispute",
            ),
        ),
        migrations.AddIndex(
            model_name="ordernote",
            index=models.Index(fields=["restaurant", "-id"], name="latest_note"),
        ),
        migrations.AddIndex(
            model_name="earlyfraudwarning",
            index=models.Index(fields=["restaurant", "-opened_at"], name="latest_fraud_warning"),
        ),
        migrations.AddIndex(
            model_name="dispute",
            index=models.Index(fields=["restaurant", "-opened_at"], name="latest_dispute"),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.CheckConstraint(
                condition=models.Q(("withdrawn__gte", 0)), name="withdrawn_or_not"
            ),
        ),
        migrations.AddIndex(
            model_name="preordertransition",
            index=models.Index(fields=["restaurant", "-id"], name="latest_order_transition"),
        ),
        migrations.AddConstraint(
            model_name="pushsubscription",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("offer__isnull", True), ("user__isnull", False)),
                    models.Q(("offer__isnull", False), ("user__isnull", True)),
                    _connector="OR",
                ),
                name="push_for_a_guest_or_an_owner",
            ),
        ),
        migrations.AddConstraint(
            model_name="pushsubscription",
            constraint=models.UniqueConstraint(
                fields=("offer", "endpoint"), name="push_once_per_offer"
            ),
        ),
        migrations.AddConstraint(
            model_name="pushsubscription",
            constraint=models.UniqueConstraint(
                fields=("restaurant", "user", "endpoint"), name="push_once_per_owner"
            ),
        ),
        migrations.AddIndex(
            model_name="pushmessage",
            index=models.Index(
                condition=models.Q(("done_at__isnull", True)), fields=["due_at"], name="pushes_due"
            ),
        ),
        migrations.AddConstraint(
            model_name="pushmessage",
            constraint=models.UniqueConstraint(
                fields=("subscription", "offer", "kind"), name="push_message_once"
            ),
        ),
        migrations.AddIndex(
            model_name="subscriber",
            index=models.Index(fields=["restaurant", "status", "id"], name="subscribers_of"),
        ),
        migrations.AddIndex(
            model_name="subscriber",
            index=models.Index(
                condition=models.Q(("confirmation_due_at__isnull", False)),
                fields=["confirmation_due_at"],
                name="subscribers_to_confirm",
            ),
        ),
        migrations.AddIndex(
            model_name="subscriber",
            index=models.Index(fields=["email"], name="subscribers_by_email"),
        ),
        migrations.AddConstraint(
            model_name="subscriber",
            constraint=models.UniqueConstraint(
                fields=("restaurant", "email"), name="one_subscriber_each"
            ),
        ),
        migrations.AddConstraint(
            model_name="subscriber",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "confirmed"), _negated=True),
                    ("consent_at__isnull", False),
                    _connector="OR",
                ),
                name="subscriber_has_consent",
            ),
        ),
        migrations.AddIndex(
            model_name="waitlistentry",
            index=models.Index(
                condition=models.Q(("state__in", ["invited", "waiting"])),
                fields=["offer", "joined_at"],
                name="waitlist_order",
            ),
        ),
        migrations.AddIndex(
            model_name="waitlistentry",
            index=models.Index(fields=["restaurant", "-joined_at"], name="latest_waitlist_entry"),
        ),
        migrations.AddConstraint(
            model_name="waitlistentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("portions__gte", 1)), name="waitlist_entry_has_portions"
            ),
        ),
        migrations.AddConstraint(
            model_name="waitlistentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["invited", "waiting"])),
                fields=("offer", "email"),
                name="one_waitlist_entry_each",
            ),
        ),
        migrations.AddIndex(
            model_name="email",
            index=models.Index(
                condition=models.Q(("dropped_at", None), ("sent_at", None)),
                fields=["due_at"],
                name="emails_pending",
            ),
        ),
        migrations.AddIndex(
            model_name="email",
            index=models.Index(fields=["restaurant", "-sent_at"], name="latest_email"),
        ),
        migrations.AddIndex(
            model_name="email",
            index=models.Index(
                condition=models.Q(("friend__isnull", False)),
                fields=["friend"],
                name="emails_about_friends",
            ),
        ),
        migrations.AddConstraint(
            model_name="email",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("dispute", None),
                        ("fraud_warning", None),
                        ("pre_order__isnull", False),
                        ("waitlist_entry", None),
                    ),
                    models.Q(
                        ("dispute__isnull", True),
                        ("fraud_warning__isnull", True),
                        ("offer__isnull", True),
                        ("pre_order__isnull", True),
                        ("waitlist_entry__isnull", False),
                    ),
                    models.Q(
                        ("dispute__isnull", True),
                        ("fraud_warning__isnull", True),
                        ("offer__isnull", False),
                        ("pre_order__isnull", True),
                        ("waitlist_entry__isnull", True),
                    ),
                    models.Q(
                        ("dispute__isnull", False),
                        ("fraud_warning__isnull", True),
                        ("offer__isnull", True),
                        ("pre_order__isnull", True),
                        ("waitlist_entry__isnull", True),
                    ),
                    models.Q(
                        ("dispute__isnull", True),
                        ("fraud_warning__isnull", False),
                        ("offer__isnull", True),
                        ("pre_order__isnull", True),
                        ("waitlist_entry__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="email_is_about_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="email",
            constraint=models.UniqueConstraint(
                condition=models.Q(("pre_order__isnull", False)),
                fields=("pre_order", "kind", "number"),
                name="order_email_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="email",
            constraint=models.UniqueConstraint(
                condition=models.Q(("waitlist_entry__isnull", False)),
                fields=("waitlist_entry", "kind"),
                name="waitlist_email_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="email",
            constraint=models.UniqueConstraint(
                condition=models.Q(("offer__isnull", False), ("pre_order", None)),
                fields=("offer", "kind", "recipient"),
                name="offer_email_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="email",
            constraint=models.UniqueConstraint(
                condition=models.Q(("dispute__isnull", False)),
                fields=("dispute", "kind", "number"),
                name="dispute_email_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="email",
            constraint=models.UniqueConstraint(
                condition=models.Q(("fraud_warning__isnull", False)),
                fields=("fraud_warning", "kind"),
                name="fraud_warning_email_once",
            ),
        ),
        *protect(
            "preorders_cart",
            "preorders_preorder",
            "preorders_preordertransition",
            "preorders_ordernote",
            "preorders_pickupcheckin",
            "preorders_dispute",
            "preorders_disputetransition",
            "preorders_earlyfraudwarning",
            "preorders_waitlistentry",
            "preorders_guestmessage",
            "preorders_email",
            "preorders_noticepreference",
            "preorders_paymentoperation",
            "preorders_pushsubscription",
            "preorders_pushmessage",
            "preorders_subscriber",
        ),
    ]
