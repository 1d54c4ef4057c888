"""What the log says about a restaurant: its team, settings, specials, money, and guests' data."""

from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.contrib.sessions.backends.cached_db import SessionStore
from django.core.management import call_command
from django.test import RequestFactory

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing import cycles, ledger, stripe_gateway, webhooks
from apps.billing.account_alarms import raise_account_alarm
from apps.billing.fees import Fees
from apps.billing.models import ConnectAccount, Discrepancy, Payout
from apps.billing.services import begin_onboarding, open_dashboard
from apps.common import rls
from apps.common.ids import order_code
from apps.common.money import Money
from apps.preorders.core.access import Purpose
from apps.preorders.core.links import order_path
from apps.preorders.disputes import services as disputes
from apps.preorders.manage import fulfillment
from apps.preorders.models.states import RunTrigger
from apps.preorders.settlement import expirations, interventions, issues, pauses
from apps.preorders.settlement.offer_cancellation import cancel_offer
from apps.preorders.special.messages import message_guests
from apps.preorders.special.rescue import Extend, LowerMinimum, rescue_offer
from apps.privacy.account_data import download_account_data
from apps.privacy.account_deletion import delete_account
from apps.restaurants.models import Invitation, OwnDomain, Restaurant
from apps.restaurants.services import contact, support
from apps.restaurants.services.own_domains import check_domain
from apps.restaurants.services.registration import register_restaurant
from apps.restaurants.services.team import accept_invitation, invite
from tests.accounts.conftest import FORM
from tests.conftest import NOON
from tests.dns_server import DnsServer
from tests.factories import MembershipFactory, PreOrderFactory, SpecialOfferFactory, UserFactory
from tests.offers.bodies import create_body, edit_body
from tests.pages import text_of
from tests.preorders.access import allow
from tests.preorders.disputes import FRAUDULENT, at_stripe, charged, hear

pytestmark = pytest.mark.django_db


def told(events, *kinds):
    """Who did what: kind, actor's kind, details."""
    return [(each.kind, each.actor_kind, each.details) for each in events(*kinds)]


class TestTheTeam:
    def test_an_invitation_a_role_change_and_a_removal_are_logged(
        self, api, cast, clock, events, emails
    ):
        client = api(cast.owner)
        made = client.post(
            "/api/team/invitations", {"email": "nina@example.test", "role": "kitchen"}
        )
        assert made.status_code == 201
        client.delete(f"/api/team/invitations/{made.json()['id']}")
        member = f"/api/team/members/{cast.kitchen.pk}"
        assert client.patch(member, {"role": "manager"}).status_code == 200
        assert client.patch(member, {"role": "manager"}).status_code == 200  # changes nothing
        assert client.delete(member).status_code == 204
        assert told(events) == [
            ("member_invited", "account", {"role": "kitchen"}),
            ("invitation_revoked", "account", {}),
            ("role_changed", "account", {"role": "manager", "before": "kitchen"}),
            ("member_removed", "account", {"role": "manager"}),
        ]
        assert {(each.restaurant_id, each.actor_id) for each in events()} == {
            (cast.restaurant.pk, cast.owner.pk)
        }
        assert [each.account_id for each in events()][2:] == [cast.kitchen.pk] * 2
        assert emails.subjects()[-2:] == [
            "Your role is manager now at Luigi's",
            "You were removed from the team at Luigi's",
        ]
        assert [each.to for each in emails.all()][-2:] == [[cast.kitchen.email]] * 2

    def test_a_new_owner_is_told_to_every_owner(self, api, cast, clock, emails):
        answer = api(cast.owner).patch(f"/api/team/members/{cast.manager.pk}", {"role": "owner"})
        assert answer.status_code == 200
        sent = [(each.subject, each.to[0]) for each in emails.all()]
        subject = "Manager of Luigi's is now an owner of Luigi's"
        assert sorted(sent) == sorted((subject, each.email) for each in (cast.owner, cast.manager))

    def test_an_accepted_invitation_is_logged(self, api, cast, clock, events, monkeypatch):
        monkeypatch.setattr("secrets.token_urlsafe", lambda _size: "a-token")
        with rls.acting_as(cast.restaurant):
            invite(
                restaurant=cast.restaurant,
                email=cast.stranger.email,
                role="kitchen",
                by=cast.owner,
                now=NOON,
            )
        request = RequestFactory().post("/")
        request.session = SessionStore()
        accept_invitation(
            request=request, user=cast.stranger, token="a-token", name="", password="", now=NOON
        )
        [event] = events("invitation_accepted")
        assert (event.actor_id, event.account_id) == (cast.stranger.pk, cast.stranger.pk)
        with rls.acting_as(rls.PLATFORM):
            assert event.object_id == str(Invitation.objects.get().pk)

    def test_requiring_two_step_verification_is_logged(self, api, cast, app_of, clock, events):
        app_of(cast.owner)
        api(cast.owner).post("/restaurant/security/two-factor", "required=yes", FORM)
        assert told(events) == [("two_factor_rule_changed", "account", {"required": True})]

    def test_a_new_restaurant_is_logged_as_registered(self, clock, events):
        person = UserFactory()
        made = register_restaurant(user=person, name="Osteria", now=NOON)
        [event] = events("restaurant_registered")
        assert (event.restaurant_id, event.actor_id) == (made.pk, person.pk)


class TestSettings:
    def test_name_the_fields_and_not_their_values(self, api, cast, clock, events):
        client = api(cast.owner)
        assert (
            client.put("/api/restaurant", {"taxRate": "9.5", "description": "Pasta."}).status_code
            == 200
        )
        assert client.put("/api/restaurant", {"taxRate": "9.5"}).status_code == 200
        [event] = events("settings_changed")
        assert event.details["fields"] == ["description", "taxRate"]

    def test_a_new_web_address_and_a_new_plan_are_logged(self, api, cast, clock, events):
        client = api(cast.owner)
        answer = client.put(
            "/api/restaurant/subdomain", {"subdomain": "luigi-new", "email": cast.owner.email}
        )
        assert answer.status_code == 200, answer.content
        client.put("/api/restaurant/upgrade-tier", {"subscriptionTier": "branded"})
        assert told(events, "subdomain_changed", "plan_changed") == [
            ("subdomain_changed", "account", {"address": "luigi-new"}),
            ("plan_changed", "account", {"plan": "branded", "before": "free"}),
        ]

    def test_an_own_domain_from_its_request_to_its_end(
        self, api, cast, clock, events, settings, platform
    ):
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(subscription_tier="branded")
        client = api(cast.owner)
        with DnsServer() as dns:
            settings.DNS_SERVERS = [dns.address]
            client.upload("/restaurant/domain/add", {"domain": "luigis.test"})
            row = OwnDomain.objects.get()
            dns.put("_fully-booked.luigis.test", "TXT", f'"fully-booked={row.token}"')
            dns.put("luigis.test", "CNAME", f"{settings.OWN_DOMAIN_TARGET}.")
            client.post("/restaurant/domain/check")
            dns.remove("luigis.test", "CNAME")
            client.post("/restaurant/domain/check")
            check_domain(domain_id=row.pk, now=clock.now + timedelta(days=4))
        client.post("/restaurant/domain/remove")
        kinds = "domain_added", "domain_live", "domain_failing", "domain_ended", "domain_removed"
        told_of = told(events, *kinds)
        assert sorted(kind for kind, _, _ in told_of) == sorted(kinds)
        assert all(details == {"address": "luigis.test"} for _, _, details in told_of)

    def test_a_look_that_is_published(self, api, cast, clock, events, platform):
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(subscription_tier="branded")
        client = api(cast.owner)
        client.upload("/restaurant/branding/save", {"footer": "Since 1962"})
        assert told(events, "branding_published") == []
        client.post("/restaurant/branding/publish")
        assert told(events, "branding_published") == [("branding_published", "account", {})]

    def test_a_downgrade_that_is_scheduled_and_canceled(self, api, cast, clock, events):
        client = api(cast.owner)
        cast.restaurant.subscription_tier, cast.restaurant.onboarding_completed = "branded", True
        with rls.acting_as(rls.PLATFORM):
            cast.restaurant.save(update_fields=["subscription_tier", "onboarding_completed"])
        client.put("/api/restaurant/upgrade-tier", {"subscriptionTier": "free"})
        client.put("/api/restaurant/upgrade-tier", {"subscriptionTier": "branded"})
        assert told(events, "plan_change_scheduled", "plan_change_canceled") == [
            (
                "plan_change_scheduled",
                "account",
                {"plan": "free", "before": "branded", "day": "2027-04-01"},
            ),
            ("plan_change_canceled", "account", {"plan": "free"}),
        ]

    def test_a_changed_contact_address_is_logged_and_told_to_the_former_one(
        self, cast, clock, events, emails, platform
    ):
        former = cast.restaurant.email
        contact.change_contact(restaurant=cast.restaurant, email="new@example.test", now=NOON)
        token = emails.query()["token"]
        contact.confirm_contact(token=token, now=NOON)
        assert [each.kind for each in events()] == ["contact_change_requested", "contact_changed"]
        assert all(each.details == {} for each in events())
        assert emails.last().subject == "The contact email for Luigi's changed"
        assert emails.last().to == [former]


class TestSpecials:
    def test_are_logged_from_publication_to_deletion(self, api, cast, clock, events):
        client = api(cast.owner)
        made = client.post("/api/dishes/special-offers", create_body())
        assert made.status_code == 201, made.content
        [published] = events("special_published")
        assert (published.object_kind, published.restaurant_id) == ("special", cast.restaurant.pk)
        offer = SpecialOfferFactory._meta.model.objects
        with rls.acting_as(cast.restaurant):
            row = offer.get(pk=published.object_id)
        path = f"/api/dishes/{row.pk}"
        assert client.put(path, edit_body(row)).status_code == 200  # changes nothing
        assert client.put(path, edit_body(row, name="Ossobuco")).status_code == 200
        assert client.delete(path).status_code == 200
        assert told(events, "special_edited", "special_deleted") == [
            ("special_edited", "account", {"fields": ["name"]}),
            ("special_deleted", "account", {}),
        ]

    def test_each_rescue_of_a_special_is_logged_once(self, world, events):
        offer = world.offer(min_preorders=9)
        for action in (
            LowerMinimum(5),
            LowerMinimum(5),
            Extend(offer.deadline + timedelta(hours=1)),
        ):
            rescue_offer(
                restaurant=world.restaurant, offer_id=offer.pk, action=action, by="x", now=world.now
            )
        assert [each.details for each in events("special_rescued")] == [
            {"change": "minimum_lowered"},
            {"change": "extended"},
        ]

    def test_a_message_to_a_specials_guests_is_logged(self, world, events):
        offer = world.offer(min_preorders=9)
        world.authorized_order(offer)
        message_guests(
            restaurant=world.restaurant, offer_id=offer.pk, text="Hello", by="x", now=world.now
        )
        assert told(events, "guests_messaged") == [("guests_messaged", "system", {"orders": 1})]

    def test_canceling_a_special_twice_is_logged_once(self, world, events):
        offer = world.offer()
        for _ in range(2):  # the second time changes nothing
            cancel_offer(
                restaurant=world.restaurant,
                offer_id=offer.pk,
                reason="The oven broke",
                by="Maria",
                now=world.now,
            )
        assert told(events) == [("special_canceled", "system", {"orders": 0})]


class TestLeaving:
    def test_an_account_and_the_restaurant_it_closes(self, cast, clock, events):
        download_account_data(cast.owner)
        delete_account(user=cast.owner, closes=[cast.restaurant.pk], now=NOON)
        delete_account(user=cast.manager, closes=[], now=NOON)
        rows = [(each.kind, each.restaurant_id, each.account_id) for each in events()]
        restaurant, owner, manager = cast.restaurant.pk, cast.owner.pk, cast.manager.pk
        assert rows == [
            ("account_data_downloaded", None, owner),
            ("restaurant_closed", restaurant, None),
            ("account_deleted", None, owner),
            ("account_deleted", None, manager),
        ]

    def test_a_member_who_goes_by_themselves(self, cast, clock, events):
        delete_account(user=cast.kitchen, closes=[], now=NOON)
        rows = [(each.kind, each.restaurant_id, each.actor_id) for each in events()]
        assert rows == [
            ("member_removed", cast.restaurant.pk, cast.kitchen.pk),
            ("account_deleted", None, cast.kitchen.pk),
        ]


class TestMoney:
    def test_refunds_cancellations_and_phone_orders_are_logged_once(self, world, events):
        order = charged(world)
        world.refund(order, "5.00")
        open_one = world.authorized_order(world.offer())
        world.cancel(open_one)
        world.cancel(open_one)  # changes nothing
        called = world.phone(world.offer())
        assert [(each.kind, each.object_id) for each in events()] == [
            ("refund_requested", str(order.pk)),
            ("order_canceled", str(open_one.pk)),
            ("phone_order_taken", str(called.pk)),
        ]
        assert events("refund_requested")[0].details == {"amount": "5.00", "currency": "usd"}

    def test_a_guest_who_cancels_is_a_guest(self, api, world, events):
        order = world.authorized_order(world.offer())
        guest = api(at=world.restaurant)
        allow(guest, order, now=world.now)
        with rls.acting_as(None):
            guest.post(order_path(order), "action=cancel&sure=yes", FORM)
        [event] = events("order_canceled")
        assert (event.actor_kind, event.actor_id) == ("guest", None)

    def test_staffs_decisions_about_a_payment_are_logged(self, world, events, monkeypatch):
        order = charged(world)
        issue = Discrepancy.objects.create(
            restaurant=world.restaurant, pre_order=order, kind="refused", found_at=world.now
        )
        with pytest.raises(Exception, match="Nothing is waiting"):
            issues.continue_payments(issue_id=issue.pk, by="Sam", now=world.now)
        monkeypatch.setattr(interventions, "_instruct", lambda *_, **__: 1)
        issues.continue_payments(issue_id=issue.pk, by="Sam", now=world.now)
        issues.give_up_charge(issue_id=issue.pk, by="Sam", now=world.now)
        issues.resolve_issue(issue_id=issue.pk, resolution="Called them", by="Sam", now=world.now)
        call_command("lift_sales_limit", "luigis")
        call_command("release_refund", str(order.pk), reason="the kitchen burned", by="Sam")
        assert [each.kind for each in events()] == [
            "charges_continued",
            "charge_given_up",
            "payment_issue_closed",
            "sales_limit_lifted",
            "refund_released",
        ]
        assert {each.actor_kind for each in events()} == {"system"}

    def test_pausing_and_continuing_settlement_is_logged(self, world, events):
        restaurant = pauses.find_target("restaurant", str(world.restaurant.pk))
        how = {"by": "Sam", "now": world.now}
        for target in (pauses.EVERYTHING, restaurant):
            pauses.pause_settlement(target=target, reason="Looks wrong", **how)
            pauses.pause_settlement(target=target, reason="Again", **how)  # changes nothing
            interventions.continue_settlement(target=target, **how)
        expirations.stop_scheduler(reason="", **how)
        expirations.start_scheduler(interval_minutes=5, **how)
        expirations.process_expirations(trigger=RunTrigger.COMMAND, **how)
        expirations.process_expirations(trigger=RunTrigger.SCHEDULE, now=world.now)  # not an event
        assert told(events) == [
            ("settlement_paused", "system", {"scope": "all"}),
            ("settlement_continued", "system", {"scope": "all"}),
            ("settlement_paused", "system", {"scope": "restaurant"}),
            ("settlement_continued", "system", {"scope": "restaurant"}),
            ("scheduler_stopped", "system", {"scope": "scheduler"}),
            ("scheduler_started", "system", {"minutes": 5}),
            ("expirations_processed", "system", {"specials": 0, "confirmed": 0, "canceled": 0}),
        ]
        assert {each.restaurant_id for each in events()} == {None, world.restaurant.pk}

    def test_answering_and_accepting_disputes_is_logged(self, world, events):
        order = charged(world, FRAUDULENT)
        hear(world, ("charge.dispute.created", at_stripe(order)[0].id))
        dispute = order.disputes.get()
        how = {"restaurant": world.restaurant, "now": world.now}
        fulfillment.mark_picked_up(order_id=order.pk, by="Maria", despite_dispute=True, **how)
        disputes.download_evidence(dispute, now=world.now)
        disputes.answer_dispute(dispute_id=dispute.pk, remarks="They came.", by="Maria", **how)
        other = charged(world, FRAUDULENT)
        hear(world, ("charge.dispute.created", at_stripe(other)[0].id))
        disputes.accept_dispute(dispute_id=other.disputes.get().pk, by="Maria", **how)
        assert [(each.kind, each.object_kind) for each in events()] == [
            ("handed_over_despite_dispute", "order"),
            ("evidence_downloaded", "dispute"),
            ("dispute_answered", "dispute"),
            ("dispute_accepted", "dispute"),
        ]

    def test_changes_of_the_payout_account_are_logged(self, world, events, emails):
        restaurant = world.restaurant
        owner = UserFactory(email="olga@luigis.test")
        MembershipFactory(user=owner, restaurant=restaurant, role="owner")
        begin_onboarding(restaurant=restaurant, now=world.now)
        open_dashboard(restaurant=restaurant, now=world.now)
        ConnectAccount.objects.filter(restaurant=restaurant).delete()
        begin_onboarding(restaurant=Restaurant.objects.get(pk=restaurant.pk), now=world.now)
        assert told(events) == [
            ("payout_account_opened", "system", {"page": "onboarding"}),
            ("payout_account_opened", "system", {"page": "dashboard"}),
            ("payout_account_connected", "system", {}),
            ("payout_account_opened", "system", {"page": "onboarding"}),
        ]
        account = ConnectAccount.objects.get().account_id
        event = SimpleNamespace(
            id="evt_1",
            type="account.external_account.updated",
            stripe_data={"account": account},
        )
        webhooks.bank_account_changed(sender=None, event=event)
        webhooks.bank_account_changed(sender=None, event=event)  # delivered twice
        assert told(events, "bank_account_changed") == [
            ("bank_account_changed", "system", {"change": "updated"})
        ]
        assert emails.subjects() == ["The bank account for Luigi's changed"]
        assert emails.last().to == ["olga@luigis.test"]
        assert set(stripe_gateway.CONNECT_EVENTS) >= {
            f"account.external_account.{what}" for what in ("created", "deleted", "updated")
        }

    def test_a_payout_that_is_tried_again(self, api, cast, clock, events):
        with rls.acting_as(rls.PLATFORM):
            payout = Payout.objects.create(
                restaurant=cast.restaurant,
                amount=Decimal("47.44"),
                currency="usd",
                status="failed",
                payout_id="po_1",
                failure_code="account_closed",
                created_at=NOON,
                due_at=NOON,
            )
        api(cast.owner).post(f"/restaurant/payouts/{payout.pk}/retry")
        [event] = events()
        assert (event.kind, event.object_id) == ("payout_retried", str(payout.pk))


class TestGuestsData:
    @pytest.mark.parametrize("kind", ["csv", "xlsx"])
    def test_exports_of_guests_data_are_logged(self, api, cast, clock, events, kind):
        answer = api(cast.owner).get(f"/api/orders/export?format={kind}")
        assert b"".join(answer.streaming_content)
        assert told(events) == [("orders_exported", "account", {"format": kind})]

    def test_downloads_and_erasures_by_the_guest(self, api, world, events):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.settle(offer)
        world.later(days=4)
        guest = api(at=world.restaurant)
        allow(guest, order, Purpose.DATA, now=world.now)
        with rls.acting_as(None):
            assert guest.get(order_path(order, then="/data.json")).status_code == 200
            guest.post(order_path(order), "action=erase&sure=yes", FORM)
        rows = [(each.kind, each.actor_kind, each.object_id) for each in events()]
        assert rows == [
            ("guest_data_downloaded", "guest", str(order.pk)),
            ("guest_data_erased", "guest", str(order.pk)),
        ]


class TestTheOwnersPage:
    def test_shows_what_happened_and_filters_it(self, api, cast, clock, events):
        client = api(cast.owner)
        assert "No activity yet." in client.get("/restaurant/activity").content.decode()
        client.patch(f"/api/team/members/{cast.kitchen.pk}", {"role": "manager"})
        client.put("/api/restaurant/upgrade-tier", {"subscriptionTier": "branded"})
        page = client.get("/restaurant/activity").content.decode()
        assert "kitchen → manager" in page
        assert "free → branded" in page
        assert "about Kitchen of Luigi" in page
        money = client.get("/restaurant/activity?group=money").content.decode()
        assert "free → branded" in money
        assert "kitchen → manager" not in money
        nobody = client.get(f"/restaurant/activity?person={uuid4()}").content.decode()
        assert "No activity matches." in nobody
        odd = client.get("/restaurant/activity?group=x&person=y&cursor=z")
        assert odd.status_code == 200

    def test_names_the_special_and_the_order(self, api, cast, clock):
        with rls.acting_as(cast.restaurant):
            offer = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso Buco")
        order_id = uuid4()
        for kind, of, pk in (
            (Kind.SPECIAL_PUBLISHED, "special", offer.pk),
            (Kind.PHONE_ORDER_TAKEN, "order", order_id),
        ):
            record(kind, restaurant=cast.restaurant, actor=cast.owner, about=(of, pk))
        page = text_of(api(cast.owner).get("/restaurant/activity"))
        assert "Special published Osso Buco" in page
        assert f"Order taken by phone {order_code(order_id)}" in page

    def test_is_the_owners_alone_and_shows_no_other_restaurants(self, api, cast, clock):
        api(cast.owner).put("/api/restaurant/upgrade-tier", {"subscriptionTier": "branded"})
        assert api(cast.manager).get("/restaurant/activity").status_code == 403
        page = api(cast.outsider).get("/restaurant/activity").content.decode()
        assert "No activity yet." in page
        path = f"/restaurant/activity?restaurant={cast.restaurant.pk}"
        assert api(cast.outsider).get(path).status_code == 403

    def test_the_owners_activity_page_shows_fifty_events_at_a_time(self, api, cast, clock):
        client = api(cast.owner)
        for number in range(55):
            clock.advance(minutes=1)
            tier = "branded" if number % 2 == 0 else "free"
            client.put("/api/restaurant/upgrade-tier", {"subscriptionTier": tier})
        first = client.get("/restaurant/activity").content.decode()
        assert first.count("Plan changed") == 50
        older = first.split('href="?cursor=')[1].split('"')[0]
        second = client.get(f"/restaurant/activity?cursor={older}").content.decode()
        assert second.count("Plan changed") == 5
        body = client.get("/api/activity?group=money").json()
        assert len(body["events"]) == 50
        rest = client.get("/api/activity", {"cursor": body["nextCursor"]}).json()
        assert (len(rest["events"]), rest["nextCursor"]) == (5, None)

    def test_the_api_speaks_the_clients_language(self, api, cast, clock):
        client = api(cast.owner)
        client.put("/api/restaurant/upgrade-tier", {"subscriptionTier": "branded"})
        [event] = client.get("/api/activity", headers={"accept-language": "es"}).json()["events"]
        assert (event["kind"], event["title"]) == ("plan_changed", "Plan cambiado")
        assert (event["actorKind"], event["actor"]) == ("account", "Owner of Luigi's")
        assert client.get("/api/activity?group=x").status_code == 400


class TestSupport:
    def test_each_step_of_a_support_visit_is_logged_with_who_and_why(self, api, cast, clock):
        asked = support.ask_for_visit(
            restaurant_id=cast.restaurant.pk, staff=cast.staff, reason="Payouts", now=clock.now
        )
        with rls.acting_as(cast.restaurant):
            support.allow_support_access(restaurant=cast.restaurant, hours=1, now=clock.now)
        support.start_visit(visit_id=asked.pk, staff=cast.staff, now=clock.now)
        with rls.acting_as(cast.restaurant):
            support.end_support_access(restaurant=cast.restaurant, now=clock.now)
        body = api(cast.owner).get("/api/activity").json()
        assert sorted(each["kind"] for each in body["events"]) == [
            "support_access_allowed",
            "support_access_ended",
            "support_visit_asked",
            "support_visit_ended",
            "support_visit_started",
        ]
        page = text_of(api(cast.owner).get("/restaurant/activity"))
        assert "Support visit started Payouts" in page


class TestTheStaffsPage:
    def test_shows_everybody_and_names_restaurants(self, api, cast, clock):
        api(cast.owner).put("/api/restaurant/upgrade-tier", {"subscriptionTier": "branded"})
        page = api(cast.staff).get("/staff/activity").content.decode()
        assert "free → branded" in page
        assert "Luigi&#x27;s" in page
        other = api(cast.staff).get(f"/staff/activity?restaurant={cast.other.pk}").content.decode()
        assert "No activity matches." in other

    def test_only_staff_see_everyones_activity(self, api, cast, clock):
        assert api(cast.owner).get("/staff/activity").status_code == 403
        assert api().get("/staff/activity").status_code == 302


class TestTheLedger:
    def test_a_statement_that_is_downloaded(self, api, cast, clock, events):
        assert api(cast.owner).get("/restaurant/statements/2027-03/xero.csv").status_code == 200
        assert told(events) == [
            ("statement_downloaded", "account", {"what": "xero", "period": "2027-03"})
        ]

    def test_a_month_that_is_closed(self, clock, events, platform):
        order = PreOrderFactory()
        ref = ledger.OrderRef(order.restaurant, order.pk, order.offer_id, "pi_1")
        fees = Fees(Money(0), Money(0))
        ledger.record_refund(ref, Money(500), fees, reference="re_1", now=NOON)
        cycles.close_cycles(now=NOON + timedelta(days=20))
        details = {"month": "2027-03", "invoice": 0, "chain": ""}
        assert told(events) == [("month_closed", "system", details)]

    def test_a_payment_issue_that_is_found_names_its_runbook(self, cast, clock, events, platform):
        raise_account_alarm(
            cast.restaurant.pk, Discrepancy.Kind.BALANCE, "It differs by $7", now=NOON
        )
        details = {"issue": "balance", "runbook": "docs/operations.md#issue-balance"}
        assert told(events) == [("payment_issue_found", "system", details)]
