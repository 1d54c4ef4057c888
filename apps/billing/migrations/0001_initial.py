import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# --- imports by hand ---
from apps.activity.append_only import never_changed
from apps.common.rls import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("offers", "0001_initial"),
        ("preorders", "0001_initial"),
        ("restaurants", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LedgerChain",
            fields=[
                (
                    "restaurant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="ledger_chain",
                        serialize=False,
                        to="restaurants.restaurant",
                    ),
                ),
                ("length", models.PositiveBigIntegerField(default=0)),
                ("head", models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="PaymentHistory",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "transaction_type",
                    models.CharField(
                        choices=[
                            ("authorization", "Card held"),
                            ("capture", "Card charged"),
                            ("release", "Hold released"),
                            ("refund", "Refunded"),
                            ("refund_returned", "Refund returned by the bank"),
                            ("refund_repeated", "Refunded again"),
                            ("fee", "Card processing"),
                            ("transfer", "Transferred to you"),
                            ("dispute", "Taken back by the guest's bank"),
                            ("dispute_fee", "Dispute fee, paid by the platform"),
                            ("reinstated", "Returned by the guest's bank"),
                            ("dispute_fee_back", "Dispute fee returned to the platform"),
                            ("transfer_reversal", "Deducted for a dispute"),
                            ("transfer_return", "Transferred to you again"),
                        ],
                        max_length=20,
                    ),
                ),
                ("amount", models.DecimalField(decimal_places=2, max_digits=10)),
                ("currency", models.CharField(default="usd", max_length=3)),
                ("settled_amount", models.DecimalField(decimal_places=2, max_digits=10, null=True)),
                ("settled_currency", models.CharField(blank=True, max_length=3)),
                (
                    "platform_fee_amount",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                (
                    "processing_fee_amount",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                ("fee_rate", models.DecimalField(decimal_places=2, default=0, max_digits=5)),
                ("payment_intent_id", models.CharField(max_length=255)),
                ("transfer_id", models.CharField(blank=True, max_length=255)),
                ("reference", models.CharField(blank=True, max_length=255)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=20,
                    ),
                ),
                ("processed_at", models.DateTimeField()),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="offers.specialoffer",
                    ),
                ),
                (
                    "pre_order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payment_history",
                        to="preorders.preorder",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payment_history",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MonthlyBillingCycle",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("year", models.PositiveSmallIntegerField()),
                ("month", models.PositiveSmallIntegerField()),
                ("cycle_start_date", models.DateField()),
                ("cycle_end_date", models.DateField()),
                ("special_offers_count", models.PositiveIntegerField(default=0)),
                ("revenue_share_active", models.BooleanField(default=False)),
                ("total_revenue", models.DecimalField(decimal_places=2, default=0, max_digits=10)),
                ("platform_fees", models.DecimalField(decimal_places=2, default=0, max_digits=10)),
                ("subscription_tier", models.CharField(max_length=20)),
                ("revenue_share_rate", models.DecimalField(decimal_places=2, max_digits=5)),
                ("closed_at", models.DateTimeField(null=True)),
                ("chain_length", models.PositiveBigIntegerField(default=0)),
                ("chain_head", models.CharField(blank=True, max_length=64)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="billing_cycles",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ProcessedEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("stripe_event_id", models.CharField(max_length=255, unique=True)),
                (
                    "payment_intent_id",
                    models.CharField(blank=True, max_length=255, null=True, unique=True),
                ),
                ("event_type", models.CharField(max_length=100)),
                ("processed_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="ReconciliationProgress",
            fields=[
                ("name", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("since", models.DateTimeField()),
                ("begun_at", models.DateTimeField(null=True)),
                ("cursor", models.CharField(blank=True, max_length=255)),
                ("finished_at", models.DateTimeField(null=True)),
                ("read_count", models.PositiveBigIntegerField(default=0)),
                ("last_read_count", models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="StripeFee",
            fields=[
                (
                    "movement_id",
                    models.CharField(max_length=255, primary_key=True, serialize=False),
                ),
                ("kind", models.CharField(max_length=50)),
                ("source_id", models.CharField(max_length=255)),
                ("payment_intent_id", models.CharField(blank=True, max_length=255)),
                ("amount", models.DecimalField(decimal_places=2, max_digits=10)),
                ("currency", models.CharField(max_length=3)),
                ("charged_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="WalletDomain",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("host", models.CharField(max_length=253, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("active", "Active"),
                            ("inactive", "Inactive"),
                            ("ending", "Ending"),
                            ("disabled", "Disabled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("domain_id", models.CharField(blank=True, max_length=255)),
                ("problem", models.CharField(blank=True, max_length=255)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("check_at", models.DateTimeField(null=True)),
                ("checked_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["check_at"], name="wallet_domains_to_check")],
            },
        ),
        migrations.CreateModel(
            name="ConnectAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("account_id", models.CharField(max_length=255, unique=True)),
                ("details_submitted", models.BooleanField(default=False)),
                ("charges_enabled", models.BooleanField(default=False)),
                ("payouts_enabled", models.BooleanField(default=False)),
                ("requirements", models.JSONField(default=dict)),
                ("country", models.CharField(default="US", max_length=2)),
                ("currency", models.CharField(default="usd", max_length=3)),
                ("synced_at", models.DateTimeField()),
                (
                    "available_balance",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                (
                    "pending_balance",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                ("balance_read_at", models.DateTimeField(null=True)),
                (
                    "balance_difference",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                ("limit_lifted_at", models.DateTimeField(null=True)),
                (
                    "restaurant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="connect_account",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Discrepancy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("payment_intent_id", models.CharField(blank=True, max_length=255)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("difference", "Stripe's records and ours differ"),
                            ("refused", "Stripe refuses"),
                            ("refund_failed", "Refund failed"),
                            ("refund_returned", "Bank returned a refund"),
                            ("refund_pending", "Refund is pending"),
                            ("unreadable", "Decision waits for a checkout"),
                            ("paused", "Captures paused"),
                            ("card_testing", "Card testing"),
                            ("chargebacks", "Too many chargebacks"),
                            ("negative", "Balance below zero"),
                            ("payout_failed", "Payout failed"),
                            ("refund_held", "Refund held for staff"),
                            ("transfer_failed", "Transfer to the restaurant failed"),
                            ("ledger", "Ledger doesn't add up"),
                            ("balance", "Balance differs"),
                            ("chain", "Ledger was changed"),
                            ("restricted", "Account restricted"),
                        ],
                        default="difference",
                        max_length=20,
                    ),
                ),
                ("description", models.CharField(max_length=255)),
                ("found_at", models.DateTimeField(db_index=True)),
                ("owners_emailed_at", models.DateTimeField(null=True)),
                ("resolved_at", models.DateTimeField(null=True)),
                ("resolved_by", models.CharField(blank=True, max_length=100)),
                ("resolution", models.CharField(blank=True, max_length=255)),
                (
                    "pre_order",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="preorders.preorder",
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
                "verbose_name_plural": "discrepancies",
            },
        ),
        migrations.CreateModel(
            name="Conversion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount", models.DecimalField(decimal_places=2, max_digits=10)),
                ("currency", models.CharField(max_length=3)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="conversion",
                        to="billing.paymenthistory",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="paymenthistory",
            name="cycle",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                to="billing.monthlybillingcycle",
            ),
        ),
        migrations.CreateModel(
            name="FeeInvoice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveBigIntegerField(unique=True)),
                ("issued_at", models.DateTimeField()),
                ("currency", models.CharField(max_length=3)),
                ("revenue_share", models.DecimalField(decimal_places=2, max_digits=10)),
                ("processing", models.DecimalField(decimal_places=2, max_digits=10)),
                ("total", models.DecimalField(decimal_places=2, max_digits=10)),
                ("tax_rate", models.DecimalField(decimal_places=3, default=0, max_digits=6)),
                ("tax", models.DecimalField(decimal_places=2, default=0, max_digits=10)),
                ("jurisdiction", models.CharField(blank=True, max_length=20)),
                ("billed_to", models.TextField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="fee_invoices",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "cycle",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invoice",
                        to="billing.monthlybillingcycle",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Payout",
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
                            ("pending", "Scheduled"),
                            ("sent", "On its way"),
                            ("paid", "Paid"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=20,
                    ),
                ),
                ("amount", models.DecimalField(decimal_places=2, max_digits=10)),
                ("currency", models.CharField(max_length=3)),
                ("payout_id", models.CharField(blank=True, max_length=255, null=True, unique=True)),
                ("attempt", models.PositiveSmallIntegerField(default=1)),
                ("requested_at", models.DateTimeField(null=True)),
                ("due_at", models.DateTimeField(null=True)),
                ("arrives_on", models.DateField(null=True)),
                ("failure_code", models.CharField(blank=True, max_length=100)),
                ("created_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                ("owner_emailed_at", models.DateTimeField(null=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payouts",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PayoutEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payout_entry",
                        to="billing.paymenthistory",
                    ),
                ),
                (
                    "payout",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="billing.payout",
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
            ],
        ),
        migrations.CreateModel(
            name="PlatformFee",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("order_amount", models.DecimalField(decimal_places=2, max_digits=10)),
                ("platform_fee_amount", models.DecimalField(decimal_places=2, max_digits=10)),
                ("fee_percentage", models.DecimalField(decimal_places=2, max_digits=5)),
                ("transfer_id", models.CharField(blank=True, max_length=255)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=20,
                    ),
                ),
                ("processing_date", models.DateTimeField()),
                ("payment_intent_id", models.CharField(max_length=255, unique=True)),
                (
                    "offer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="offers.specialoffer",
                    ),
                ),
                (
                    "pre_order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="preorders.preorder",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="platform_fees",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SubscriptionSignUp",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=255)),
                ("name", models.CharField(blank=True, max_length=100)),
                ("terms_agreed_at", models.DateTimeField(null=True)),
                ("terms_agreed_from", models.GenericIPAddressField(null=True)),
                ("price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("currency", models.CharField(max_length=3)),
                ("customer_id", models.CharField(blank=True, max_length=255)),
                ("payment_intent_id", models.CharField(max_length=255, null=True, unique=True)),
                ("payment_method_id", models.CharField(blank=True, max_length=255)),
                (
                    "problem",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("details_missing", "Details Missing"),
                            ("email_taken", "Email Taken"),
                            ("already_subscribed", "Already Subscribed"),
                            ("restaurant_closed", "Restaurant Closed"),
                            ("refunded", "Refunded"),
                        ],
                        max_length=20,
                    ),
                ),
                ("emailed_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField()),
                ("paid_at", models.DateTimeField(null=True)),
                ("registered_at", models.DateTimeField(null=True)),
                ("invoice_id", models.CharField(blank=True, max_length=255)),
                ("invoiced_at", models.DateTimeField(null=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_ups",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("subscription_id", models.CharField(max_length=255, null=True, unique=True)),
                ("status", models.CharField(max_length=30)),
                ("price", models.DecimalField(decimal_places=2, max_digits=10)),
                ("currency", models.CharField(max_length=3)),
                ("started_at", models.DateTimeField()),
                ("period_ends_at", models.DateTimeField()),
                ("ends_at_period_end", models.BooleanField(default=False)),
                ("unpaid_since", models.DateTimeField(null=True)),
                ("reminded_at", models.DateTimeField(null=True)),
                ("lapsed_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("synced_at", models.DateTimeField()),
                (
                    "due_email",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("started", "Started"),
                            ("payment_failed", "Payment Failed"),
                            ("reminder", "Reminder"),
                            ("lapsed", "Lapsed"),
                            ("paid_again", "Paid Again"),
                            ("ended", "Ended"),
                        ],
                        max_length=20,
                    ),
                ),
                ("emails_sent", models.PositiveIntegerField(default=0)),
                (
                    "restaurant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="subscription",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "sign_up",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="subscription",
                        to="billing.subscriptionsignup",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LedgerSeal",
            fields=[
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="seal",
                        serialize=False,
                        to="billing.paymenthistory",
                    ),
                ),
                ("position", models.PositiveBigIntegerField()),
                ("hash", models.CharField(max_length=64)),
                ("sealed_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="paymenthistory",
            index=models.Index(fields=["restaurant", "-processed_at"], name="ledger_by_time"),
        ),
        migrations.AddConstraint(
            model_name="paymenthistory",
            constraint=models.UniqueConstraint(
                fields=("payment_intent_id", "transaction_type", "reference"),
                name="one_entry_per_movement",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymenthistory",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount__gte", 0)), name="entries_are_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="monthlybillingcycle",
            constraint=models.UniqueConstraint(
                fields=("restaurant", "year", "month"), name="one_cycle_per_month"
            ),
        ),
        migrations.AddConstraint(
            model_name="monthlybillingcycle",
            constraint=models.CheckConstraint(
                condition=models.Q(("month__range", (1, 12))), name="month_of_the_year"
            ),
        ),
        migrations.AddIndex(
            model_name="feeinvoice",
            index=models.Index(fields=["restaurant", "-number"], name="invoices_by_number"),
        ),
        migrations.AddIndex(
            model_name="payout",
            index=models.Index(fields=["restaurant", "-created_at"], name="payouts_by_time"),
        ),
        migrations.AddIndex(
            model_name="payout",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="due_payouts"
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount__gt", 0)), name="payouts_are_positive"
            ),
        ),
        migrations.AddIndex(
            model_name="subscriptionsignup",
            index=models.Index(
                condition=models.Q(("registered_at", None)),
                fields=["created_at"],
                name="open_sign_ups",
            ),
        ),
        migrations.AddConstraint(
            model_name="subscriptionsignup",
            constraint=models.UniqueConstraint(
                condition=models.Q(("paid_at", None), ("registered_at", None)),
                fields=("restaurant",),
                name="one_open_sign_up_per_restaurant",
            ),
        ),
        migrations.AddIndex(
            model_name="subscription",
            index=models.Index(
                condition=models.Q(("ended_at", None)),
                fields=["synced_at"],
                name="open_subscriptions",
            ),
        ),
        migrations.AddConstraint(
            model_name="ledgerseal",
            constraint=models.UniqueConstraint(
                fields=("restaurant", "position"), name="one_seal_per_position"
            ),
        ),
        *protect(
            "billing_connectaccount",
            "billing_monthlybillingcycle",
            "billing_paymenthistory",
            "billing_conversion",
            "billing_ledgerchain",
            "billing_ledgerseal",
            "billing_platformfee",
            "billing_feeinvoice",
            "billing_payout",
            "billing_payoutentry",
            "billing_discrepancy",
            "billing_subscriptionsignup",
            "billing_subscription",
        ),
        # --- by hand ---
        *never_changed(
            "billing_paymenthistory",
            "billing_conversion",
            "billing_platformfee",
            "billing_ledgerseal",
            "billing_feeinvoice",
        ),
        *never_changed("billing_monthlybillingcycle", once="closed_at"),
    ]
