"""Deleting an account: what it needs, what goes, what stays, and under which name (decision 64)."""

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.core import mail
from django.test.client import MULTIPART_CONTENT

from apps.accounts.models import BearerToken, User
from apps.accounts.services import issue_token
from apps.billing.models import PaymentHistory
from apps.marketing.models import DemoLead
from apps.preorders.manage import fulfillment
from apps.preorders.models import OrderNote, PreOrder
from apps.restaurants.models import Membership, Restaurant
from tests.factories import PASSWORD, MembershipFactory, StaffFactory, UserFactory
from tests.pages import text_of
from tests.stored_words import tables_with

PLAN, DATA, PAGE = "/api/account/deletion", "/api/account/data", "/account/delete"


@pytest.fixture
def owner(world):
    return MembershipFactory(
        user=UserFactory(name="Olivia Owner", email="olivia@example.test"),
        restaurant=world.restaurant,
    ).user


def delete(client, *restaurants):
    return client.post(PLAN, {"closeRestaurants": [str(each.pk) for each in restaurants]})


def account_is_there(user):
    return User.objects.filter(pk=user.pk).exists()


class TestOfAMemberWhoIsNotTheOnlyOwner:
    @pytest.fixture
    def manager(self, world, owner):
        return MembershipFactory(
            user=UserFactory(name="Mia Manager", email="mia@example.test"),
            restaurant=world.restaurant,
            role="manager",
        ).user

    def test_the_account_goes_and_the_restaurant_stays(self, world, api, manager, owner):
        client = api(manager)
        plan = client.get(PLAN).json()
        assert plan == {
            "canDelete": True,
            "leaves": [{"id": str(world.restaurant.pk), "name": "Luigi's"}],
            "closes": [],
            "problems": [],
        }
        assert delete(client).status_code == 204
        assert not account_is_there(manager)
        assert account_is_there(owner)
        assert not EmailAddress.objects.filter(email="mia@example.test").exists()
        world.restaurant.refresh_from_db()
        assert world.restaurant.status == "active"

    def test_every_session_and_token_ends(self, world, api, manager):
        here, elsewhere = api(manager), api()
        elsewhere.post("/api/login", {"email": manager.email, "password": PASSWORD})
        assert UserSession.objects.filter(user=manager).exists()
        token = issue_token(user=manager, now=world.now)
        assert elsewhere.get("/account").status_code == 200
        assert delete(here).status_code == 204
        assert here.get("/account").status_code == 302
        assert elsewhere.get("/account").status_code == 302
        by_token = api().get("/api/tokens", headers={"Authorization": f"Bearer {token}"})
        assert by_token.status_code == 401
        assert not BearerToken.objects.exists()
        assert not UserSession.objects.exists()

    def test_the_person_is_told_by_email(self, world, api, manager):
        delete(api(manager))
        world.work()
        [sent] = [each for each in mail.outbox if each.to == ["mia@example.test"]]
        assert sent.subject == "Your Fully Booked account was deleted"
        assert "accounting law requires" in sent.body

    def test_the_address_can_register_again(self, world, api, manager):
        delete(api(manager))
        again = UserFactory(email="mia@example.test")
        assert again.pk != manager.pk

    def test_what_they_did_stays_without_their_name(self, world, api, manager):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.settle(offer)
        fulfillment.add_note(
            restaurant=world.restaurant,
            order_id=order.pk,
            text="Window seat.",
            by=manager.name,
            now=world.now,
        )
        fulfillment.mark_picked_up(
            restaurant=world.restaurant, order_id=order.pk, by=manager.email, now=world.now
        )
        paid = PaymentHistory.objects.count()
        assert delete(api(manager)).status_code == 204
        assert OrderNote.objects.get().by == "Former team member"
        done = world.fresh(order).transitions.get(field="status", new="fulfilled")
        assert done.actor == "Former team member"
        assert PaymentHistory.objects.count() == paid
        assert tables_with("mia@example.test", "Mia Manager") == {}

    def test_whoever_receives_the_restaurants_email_names_another_address_first(
        self, world, api, manager
    ):
        Restaurant.objects.filter(pk=world.restaurant.pk).update(email=manager.email)
        client = api(manager)
        [problem] = client.get(PLAN).json()["problems"]
        assert problem["message"] == (
            "Your address is the contact address of Luigi's. Change it in the settings first."
        )
        assert delete(client).status_code == 409
        assert account_is_there(manager)


class TestOfTheOnlyOwner:
    def test_the_restaurant_is_closed_with_the_account(self, world, api, owner):
        colleague = MembershipFactory(restaurant=world.restaurant, role="kitchen").user
        Restaurant.objects.filter(pk=world.restaurant.pk).update(
            owner_name=owner.name, billing_email=owner.email, email=owner.email
        )
        client = api(owner)
        assert client.get(PLAN).json()["closes"] == [
            {"id": str(world.restaurant.pk), "name": "Luigi's"}
        ]
        assert delete(client, world.restaurant).status_code == 204
        closed = Restaurant.objects.get(pk=world.restaurant.pk)
        assert (closed.status, closed.name, closed.subdomain) == ("inactive", "Luigi's", "luigis")
        assert (closed.owner_name, closed.billing_email, closed.phone) == ("", "", "")
        assert not Membership.objects.filter(restaurant=closed).exists()
        assert account_is_there(colleague)
        world.work()
        told = [message for message in mail.outbox if message.to == [colleague.email]]
        assert [message.subject for message in told] == ["Luigi's was closed"]
        assert api(host="luigis.localhost").get("/").status_code == 404
        assert tables_with("olivia@example.test", "Olivia Owner") == {}

    def test_nothing_happens_until_they_agree_to_close_it(self, world, api, owner):
        refused = delete(api(owner))
        assert refused.status_code == 400
        assert refused.json()["errors"][0]["field"] == "closeRestaurants"
        assert refused.json()["message"] == "Confirm that Luigi's will be closed."
        assert account_is_there(owner)
        assert Restaurant.objects.get(pk=world.restaurant.pk).status == "active"

    def test_it_waits_while_a_special_is_open(self, world, api, owner):
        world.offer(name="Osso Buco")
        refused = delete(api(owner), world.restaurant)
        assert refused.status_code == 409
        assert refused.json()["message"] == (
            "Luigi's has a special that isn't over: Osso Buco, Wed, Mar 24. "
            "Make someone else an owner of Luigi's, or wait until that's over."
        )
        assert account_is_there(owner)

    def test_it_waits_while_food_is_still_to_come(self, world, api, owner):
        offer = world.offer(min_preorders=1)
        world.authorized_order(offer)
        world.settle(offer)
        refused = delete(api(owner), world.restaurant)
        assert refused.status_code == 409
        assert "Luigi's has 1 order that" in refused.json()["message"]
        assert account_is_there(owner)

    def test_with_another_owner_it_does_not_wait(self, world, api, owner):
        world.offer()
        MembershipFactory(restaurant=world.restaurant, role="owner")
        assert delete(api(owner)).status_code == 204
        assert Restaurant.objects.get(pk=world.restaurant.pk).status == "active"

    def test_an_owner_who_never_confirmed_anything_can_leave_too(self, world, api):
        alone = UserFactory(email="new@example.test")
        DemoLead.objects.create(
            email="new@example.test", created_at=world.now, last_seen_at=world.now
        )
        assert delete(api(alone)).status_code == 204
        assert tables_with("new@example.test") == {}


class TestStepUp:
    def test_an_old_session_proves_itself_again(self, api, owner):
        client = api(owner, signed_in_ago=3600)
        for answer in (client.get(PLAN), delete(client), client.get(DATA)):
            assert (answer.status_code, answer.json()["code"]) == (403, "reauthenticate")
        assert client.get(PAGE).headers["Location"].startswith("/account/again?next=")
        assert client.get("/account/data").headers["Location"].startswith("/account/again?next=")
        assert account_is_there(owner)

    def test_a_token_proves_nothing(self, api, world, owner):
        token = issue_token(user=owner, now=world.now)
        headers = {"Authorization": f"Bearer {token}"}
        assert api().get(DATA, headers=headers).status_code == 403
        assert api().post(PLAN, {}, headers=headers).status_code == 403
        assert account_is_there(owner)

    def test_a_passer_by_is_refused(self, api):
        assert api().get(DATA).status_code == 401
        assert api().post(PLAN, {}).status_code == 401
        assert api().get(PAGE).status_code == 302

    def test_staff_do_not_delete_themselves(self, api, db):
        staff = StaffFactory()
        refused = delete(api(staff))
        assert refused.status_code == 409
        assert account_is_there(staff)


class TestThePage:
    def test_it_says_what_happens_and_does_it(self, world, api, owner):
        client = api(owner)
        page = client.get(PAGE)
        assert "Luigi&#x27;s is closed, because you're its only owner" in page.text
        unsure = client.post(PAGE, {"close": str(world.restaurant.pk)}, MULTIPART_CONTENT)
        assert unsure.status_code == 400
        assert "Check the box to confirm." in unsure.text
        form = {"close": str(world.restaurant.pk), "sure": "yes"}
        done = client.post(PAGE, form, MULTIPART_CONTENT)
        assert (done.status_code, done.headers["Location"]) == (302, "/account-deleted")
        assert "Your account was deleted" in client.get("/account-deleted").text
        assert not account_is_there(owner)

    def test_it_names_the_way_out(self, world, api, owner):
        world.offer(name="Osso Buco")
        page = api(owner).get(PAGE)
        assert "You can't delete it yet" in page.text
        assert f'href="/restaurant/team?restaurant={world.restaurant.pk}"' in page.text

    def test_it_names_the_way_out_of_several_problems_once(self, world, api, owner):
        offer = world.offer(name="Osso Buco")
        world.authorized_order(offer)
        page = text_of(api(owner).get(PAGE))
        assert "a special that isn't over: Osso Buco" in page
        assert "1 order that" in page
        assert page.count("Make someone else an owner of Luigi's") == 1
        assert page.count("Open team") == 1

    def test_it_offers_no_button_while_something_is_open(self, world, api, owner):
        world.offer(name="Osso Buco")
        page = api(owner).get(PAGE)
        assert "a special that isn't over: Osso Buco" in text_of(page)
        assert 'name="sure"' not in page.text

    def test_a_form_with_nonsense_closes_nothing(self, world, api, owner):
        form = {"close": ["x", "../"], "sure": "yes"}
        assert api(owner).post(PAGE, form, MULTIPART_CONTENT).status_code == 400
        assert account_is_there(owner)


class TestTheDownload:
    def test_it_has_what_is_stored_about_the_person(self, world, api, owner):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.settle(offer)
        fulfillment.mark_picked_up(
            restaurant=world.restaurant, order_id=order.pk, by=owner.name, now=world.now
        )
        issue_token(user=owner, now=world.now, name="Till")
        DemoLead.objects.create(
            email="olivia@example.test",
            ip_address="203.0.113.9",
            created_at=world.now,
            last_seen_at=world.now,
        )
        client = api(owner)
        client.get("/account")
        found = client.get(DATA).json()
        assert found["account"]["email"] == "olivia@example.test"
        assert found["account"]["name"] == "Olivia Owner"
        assert found["restaurants"][0]["details"]["contactEmail"] == world.restaurant.email
        assert [each["name"] for each in found["apiTokens"]] == ["Till"]
        assert found["demo"][0]["ipAddress"] == "203.0.113.9"
        assert [each["new"] for each in found["actions"]] == ["fulfilled"]
        file = client.get("/account/data")
        assert "attachment" in file.headers["Content-Disposition"]
        assert json.loads(file.content)["account"]["email"] == "olivia@example.test"

    def test_it_has_no_secret_and_nobody_else(self, world, api, owner):
        other = MembershipFactory(restaurant=world.restaurant, role="kitchen").user
        issue_token(user=owner, now=world.now)
        text = api(owner).get(DATA).content.decode()
        token = BearerToken.objects.get()
        for secret in (owner.password, token.digest, other.email, other.name):
            assert secret not in text


def test_two_owners_who_leave_one_after_the_other_leave_nobody_behind(world, api, owner):
    second = MembershipFactory(restaurant=world.restaurant, role="owner").user
    world.offer()
    assert delete(api(owner)).status_code == 204
    refused = delete(api(second), world.restaurant)
    assert refused.status_code == 409
    assert Membership.objects.get(restaurant=world.restaurant).user == second


def test_an_order_placed_while_signed_in_stays_the_guests(world, api, owner):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    PreOrder.objects.filter(pk=order.pk).update(user=owner)
    world.settle(offer)
    world.later(days=4)
    assert delete(api(owner), world.restaurant).status_code == 204
    assert world.fresh(order).user is None
    assert world.fresh(order).customer_name == order.customer_name


def test_it_waits_for_the_last_payout(world, api, owner):
    account = world.restaurant.connect_account
    account.available_balance = 12
    account.save(update_fields=["available_balance"])
    refused = delete(api(owner), world.restaurant)
    assert refused.status_code == 409
    assert "that isn't paid out yet" in refused.json()["message"]
