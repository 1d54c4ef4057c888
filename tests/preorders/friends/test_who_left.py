"""Friends are emailed that the guest who invited them canceled, and the other way around (decision
179)."""

from html import escape
from urllib.parse import quote_plus

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from apps.common import formats
from apps.preorders.core.access import guest_url
from apps.preorders.core.friends import friends_url
from apps.preorders.core.links import order_path
from apps.preorders.emails.reminders import is_still_useful
from apps.preorders.emails.rendering import render_order_email
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.guest.friends import open_to_everybody
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind, PreOrderStatus
from apps.preorders.settlement.offer_cancellation import cancel_offer
from tests.pages import text_of
from tests.preorders.friends.steps import friend, reserve, turn_reminders_off
from tests.preorders.friends.test_pages import own, own_page


@pytest.fixture
def bea(world, ana):
    """A friend of Ana's whose card is held; nobody has an unsent email."""
    reserve(world, ana, 3)
    joined = friend(world, ana)
    world.work()
    mail.outbox.clear()
    return joined


def cancel(world, order):
    return cancel_own_order(order=own(order), now=world.now)


def own_link(starter):
    return friends_url(own(starter))


def written(kind=EmailKind.FRIEND_CANCELED):
    return [each.pre_order_id for each in Email.objects.filter(kind=kind)]


def sent_to(order):
    return [each for each in mail.outbox if order.customer_email in each.to[0]]


def call_off(world, offer):
    cancel_offer(
        restaurant=world.restaurant, offer_id=offer.pk, reason="Ill", by="Olga", now=world.now
    )


class TestTheEmail:
    def test_tells_a_friend_who_canceled_and_until_when_they_can(self, world, offer, ana, bea):
        cancel(world, ana)
        assert written() == [bea.pk]
        world.work()
        [own_email] = sent_to(ana)
        assert "Your friend's order stays. We've emailed them that you canceled." in own_email.body
        [told] = sent_to(bea)
        assert isinstance(told, EmailMultiAlternatives)
        assert told.subject == "Ana canceled, and you're still in: Osso Buco"
        deadline = formats.moment(offer.deadline, world.restaurant.zone)
        assert told.body.startswith("Ana canceled. Your portion is still in\n")
        assert told.body.count("Ana canceled") == 1
        assert "Your order: Osso Buco, 1 portion, $25.92 with tax" in told.body
        assert (
            "If you're coming anyway, you don't need to do anything. If not, you can change or "
            f"cancel for free until {deadline}.\n" in told.body
        )
        assert "Everybody pays for their own order. Your card isn't affected.\n" in told.body
        assert f"See your order:\n{guest_url(bea)}\n" in told.body
        change = guest_url(bea, then="?open=change#change-order")
        assert f"Change or cancel:\n{change}\n" in told.body
        assert "Lopez" not in told.body + told.subject + str(told.alternatives[0][0])

    def test_is_in_the_language_that_the_friend_ordered_in(self, world, ana, bea):
        PreOrder.objects.filter(pk=bea.pk).update(language="es")
        cancel(world, ana)
        email = Email.objects.get(kind=EmailKind.FRIEND_CANCELED)
        assert 'lang="es"' in str(render_order_email(email).alternatives[0][0])

    def test_is_the_same_when_the_restaurant_canceled_that_order(self, world, ana, bea):
        world.cancel(ana, reason="asked by phone")
        world.work()
        [told] = sent_to(bea)
        assert told.subject == "Ana canceled, and you're still in: Osso Buco"
        assert "phone" not in told.body

    def test_goes_once_to_each_friend_whose_card_is_held(self, world, ana, bea):
        cem = friend(world, ana, name="Cem Kaya")
        friend(world, ana, name="Dee Oh", pays=False)
        gone = friend(world, ana, name="Eva Lind")
        cancel(world, gone)
        for _ in range(2):
            cancel(world, ana)
        world.cancel(ana)
        world.work()
        assert sorted(written(), key=str) == sorted([bea.pk, cem.pk], key=str)
        assert [len(sent_to(each)) for each in (bea, gone)] == [1, 2]  # held, and canceled

    def test_is_not_written_for_a_friend_who_cancels(self, world, ana, bea):
        cancel(world, bea)
        world.work()
        assert written() == []

    def test_is_not_written_when_the_rest_is_opened_to_everybody(self, world, ana, bea):
        open_to_everybody(order=world.fresh(ana), now=world.now)
        assert written() == []

    def test_is_not_written_to_a_starter_who_ordered_again_with_their_own_link(
        self, world, ana, bea
    ):
        PreOrder.objects.filter(pk=bea.pk).update(customer_email=ana.customer_email.upper())
        cancel(world, ana)
        assert written() == []

    def test_is_not_written_when_the_special_is_called_off(self, world, offer, ana, bea):
        call_off(world, offer)
        world.work()
        assert written() == []
        assert "canceled Osso Buco" in sent_to(bea)[0].subject

    def test_is_not_written_when_the_special_fails(self, world, offer, ana, bea):
        offer.min_preorders = 5
        offer.save()
        assert world.settle(world.fresh(offer)).status == "failed"
        assert written() == []

    @pytest.mark.parametrize("by", ["friend", "special"])
    def test_is_dropped_once_the_friends_order_ended_too(self, world, offer, ana, bea, by):
        cancel(world, ana)
        if by == "friend":
            cancel(world, bea)
        else:
            call_off(world, offer)
        world.work()
        email = Email.objects.get(kind=EmailKind.FRIEND_CANCELED)
        assert (email.sent_at, email.dropped_at) == (None, world.now)
        assert not [each for each in sent_to(bea) if "still in" in each.subject]

    def test_is_useful_as_long_as_the_starter_is_canceled(self, world, ana, bea):
        cancel(world, ana)
        [email] = Email.objects.filter(kind=EmailKind.FRIEND_CANCELED)
        assert is_still_useful(email, now=world.now)
        PreOrder.objects.filter(pk=ana.pk).update(status=PreOrderStatus.PENDING)
        [email] = Email.objects.filter(kind=EmailKind.FRIEND_CANCELED)
        assert not is_still_useful(email, now=world.now)


class TestTheEmailToWhoInvited:
    """A friend's order was canceled, and the guest whose link it came with is still in."""

    def left(self):
        return written(EmailKind.FRIEND_LEFT)

    def test_says_who_left_who_is_still_in_and_what_is_reserved(self, world, offer, ana):
        reserve(world, ana, 3)
        cem = friend(world, ana, 2, name="Cem Kaya", shows_first_name=True)
        friend(world, ana, name="Dee Oh")
        world.work()
        mail.outbox.clear()
        cancel(world, cem)
        assert self.left() == [ana.pk]
        world.work()
        [told] = sent_to(ana)
        assert isinstance(told, EmailMultiAlternatives)
        assert told.subject == "Cem isn't in anymore: Osso Buco"
        until = formats.moment(own(ana).friends_until, world.restaurant.zone)
        assert told.body.startswith("Cem isn't in anymore\n")
        assert "Cem had ordered 2 portions. 1 friend is still in.\n" in told.body
        assert f"2 portions are reserved for your friends until {until}, if you want" in told.body
        assert "Your own order stays as it is, and your card isn't affected.\n" in told.body
        assert f"It's on. 2 portions left. Send it to a friend:\n{own_link(ana)}\n" in told.body
        html = str(told.alternatives[0][0])
        assert escape(guest_url(ana, then="#bring-friends")) in html
        says = f"I reserved portions for friends until {until}. It's on: {own_link(ana)}"
        assert quote_plus(says) in html
        assert "Invite more friends" not in told.body
        assert "Turn off emails like this" in told.body
        assert "Kaya" not in told.subject + told.body + str(told.alternatives[0][0])

    def test_names_nobody_who_did_not_show_it(self, world, ana, bea):
        cancel(world, bea)
        world.work()
        [told] = sent_to(ana)
        assert told.subject == "A friend isn't in anymore: Osso Buco"
        assert "They had ordered 1 portion.\n" in told.body
        assert "Bea" not in told.subject + told.body

    def test_says_that_nothing_is_reserved_once_it_was_released(self, world, ana, bea):
        open_to_everybody(order=world.fresh(ana), now=world.now)
        cancel(world, bea)
        world.work()
        [told] = sent_to(ana)
        assert "Nothing is reserved for your friends anymore, but they can still" in told.body

    def test_invites_another_friend_to_the_last_portions_which_are_reserved(
        self, world, offer, ana, bea
    ):
        type(offer).objects.filter(pk=offer.pk).update(max_preorders=4)
        cancel(world, bea)
        world.work()
        [told] = sent_to(ana)
        assert f"Send your link to another friend:\n{own_link(ana)}\n" in told.body

    @pytest.mark.parametrize("why", ["sold out", "closed", "not paid out"])
    def test_invites_nobody_to_portions_that_nobody_can_order(self, world, offer, ana, bea, why):
        open_to_everybody(order=world.fresh(ana), now=world.now)
        cancel(world, bea)
        match why:
            case "sold out":
                world.authorized_order(world.fresh(offer), 5)
            case "closed":
                world.at(offer.deadline)
            case "not paid out":
                world.restaurant.connect_account.delete()
        email = Email.objects.get(kind=EmailKind.FRIEND_LEFT)
        told = render_order_email(email)
        assert told.subject == "A friend isn't in anymore: Osso Buco"
        assert own_link(ana) not in told.body
        assert "wa.me" not in str(told.alternatives[0][0])

    def test_goes_once_for_each_friend_who_left(self, world, ana, bea):
        cem = friend(world, ana, name="Cem Kaya")
        for order in (bea, bea, cem):
            cancel(world, order)
        world.cancel(bea)
        assert self.left() == [ana.pk, ana.pk]

    def test_is_the_same_when_the_restaurant_canceled_that_order(self, world, ana, bea):
        world.cancel(bea, reason="asked by phone")
        world.work()
        [told] = sent_to(ana)
        assert told.subject == "A friend isn't in anymore: Osso Buco"
        assert "phone" not in told.body

    def test_is_not_written_for_a_friend_whose_card_was_never_held(self, world, ana):
        reserve(world, ana, 3)
        cancel(world, friend(world, ana, pays=False))
        assert self.left() == []

    def test_is_not_written_to_who_canceled_before_or_ordered_with_their_own_link(
        self, world, ana, bea
    ):
        cem = friend(world, ana, name="Cem Kaya")
        PreOrder.objects.filter(pk=cem.pk).update(customer_email=ana.customer_email.upper())
        cancel(world, cem)
        cancel(world, ana)
        cancel(world, bea)
        assert self.left() == []

    def test_is_not_written_when_the_special_is_called_off(self, world, offer, ana, bea):
        call_off(world, offer)
        assert self.left() == []

    @pytest.mark.parametrize("ended", ["own order", "reminders", "special"])
    def test_is_dropped_once_it_is_of_no_use(self, world, offer, ana, bea, ended):
        cancel(world, bea)
        match ended:
            case "own order":
                cancel(world, ana)
            case "reminders":
                turn_reminders_off(world, ana)
            case "special":
                call_off(world, offer)
        world.work()
        email = Email.objects.get(kind=EmailKind.FRIEND_LEFT)
        assert (email.sent_at, email.dropped_at) == (None, world.now)

    def test_is_dropped_with_the_one_that_was_to_say_that_they_are_in(self, world, ana):
        reserve(world, ana, 3)
        cancel(world, friend(world, ana))
        world.work()
        for kind in (EmailKind.FRIEND_JOINED, EmailKind.FRIEND_LEFT):
            email = Email.objects.get(kind=kind)
            assert (email.sent_at, email.dropped_at) == (None, world.now)


class TestTheFriendsPage:
    def test_says_who_canceled_and_until_when_the_friend_can(self, guest, world, offer, ana, bea):
        assert "canceled" not in text_of(own_page(guest, bea))
        cancel(world, ana)
        until = formats.moment(offer.deadline, world.restaurant.zone)
        page = text_of(own_page(guest, bea))
        assert "Ana canceled. Your portion is still in." in page
        assert page.count(f"change or cancel for free until {until}.") == 1
        assert page.count("Ana canceled") == 1
        guest.cookies.clear()
        assert "Ana canceled" not in text_of(guest.get(order_path(own(bea))))

    def test_says_only_that_they_are_in_once_they_cannot(self, guest, world, offer, ana):
        reserve(world, ana, 3)
        pair = friend(world, ana, 2)
        cancel(world, ana)
        assert "Your 2 portions are still in." in text_of(own_page(guest, pair))
        world.at(offer.deadline)
        page = text_of(own_page(guest, pair))
        assert "Ana canceled. Your 2 portions are still in." in page
        world.settle(world.fresh(offer))
        assert world.fresh(pair).status == "confirmed"
        page = text_of(own_page(guest, pair))
        assert "Ana canceled. Your 2 portions are still in." in page
        assert "cancel for free" not in page

    def test_says_nothing_of_it_once_their_own_order_has_ended(self, guest, world, ana, bea):
        cancel(world, ana)
        cancel(world, bea)
        assert "Ana canceled" not in text_of(own_page(guest, bea))

    def test_says_nothing_of_a_starter_whose_order_ended_with_the_special(
        self, guest, world, offer, ana, bea
    ):
        call_off(world, offer)
        assert "Ana canceled" not in text_of(own_page(guest, bea))

    def test_says_nothing_of_a_starter_whose_card_was_declined(self, guest, world, ana, bea):
        PreOrder.objects.filter(pk=ana.pk).update(status=PreOrderStatus.CANCELLED)
        assert "Ana canceled" not in text_of(own_page(guest, bea))
