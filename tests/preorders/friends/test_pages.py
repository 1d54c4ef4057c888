"""Friends who order with a guest's link: pages, API, and kitchen sheet (decision 88)."""

import json
import re
from datetime import timedelta
from urllib.parse import quote_plus, unquote_plus, urlencode

import pytest
from django.test.client import MULTIPART_CONTENT

from apps.common import clock
from apps.offers.models import PickupSlot, SpecialOffer
from apps.offers.serving import serving_of
from apps.preorders.checkout.payment_page import checkout_request
from apps.preorders.core.access import Purpose
from apps.preorders.core.friends import friends_path, friends_token
from apps.preorders.core.links import order_path
from apps.preorders.core.referrals import referral_url
from apps.preorders.documents.kitchen_sheet import sheet_of_offer
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.guest.data_export import guest_data
from apps.preorders.guest.friends import open_to_everybody
from apps.preorders.models import PreOrder
from apps.restaurants.models import Membership
from tests.factories import MembershipFactory
from tests.pages import text_of
from tests.preorders.access import allow
from tests.preorders.friends.steps import friend, reserve

OURS = {"Sec-Fetch-Site": "same-origin"}


def own(order):
    return PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)


def own_page(guest, order, **more):
    """The order's page in the browser that ordered; with a field, the page after posting it."""
    found = own(order)
    allow(guest, found, Purpose.CHANGE, now=clock.now())
    if more:
        answer = guest.post(order_path(found), more, MULTIPART_CONTENT, headers=OURS)
        if answer.status_code != 303:
            return answer
    return guest.get(order_path(found))


def link_for(starter):
    return friends_path(PreOrder.objects.get(pk=starter.pk))


def order_with(guest, path, **typed):
    form = {"quantity": "1", "customerName": "Bea Ruiz", "customerEmail": "bea@example.test"}
    body = urlencode(form | typed)
    kind = "application/x-www-form-urlencoded"
    return guest.post(f"{path}/order", body, kind, headers=OURS)


class TestTheStartersPage:
    def test_a_second_order_says_that_the_guest_reserved_with_the_first(self, guest, world, ana):
        reserve(world, ana, 1)
        again = world.begin(world.fresh(own(ana).offer), name="Ana Lopez")
        world.pay(again)
        world.hear(again)
        PreOrder.objects.filter(pk=again.pk).update(customer_email=own(ana).customer_email)
        page = text_of(own_page(guest, again))
        assert "You reserved portions for friends with your other order of this special." in page
        assert "Reserve portions for friends" not in page
        assert "Bring friends" in page
        assert "with your other order" not in text_of(own_page(guest, ana))

    def test_the_starter_reserves_sends_the_link_and_opens_the_rest(self, guest, world, ana):
        page = own_page(guest, ana)
        assert "Make it happen with friends" in text_of(page)
        page = own_page(guest, ana, action="friends", friends="2")
        assert "2 portions for your friends" in text_of(page)
        assert "Reserved until" in text_of(page)
        assert "Release 2 portions Others can order them then." in text_of(page)
        assert "Open them to everyone" in text_of(page)
        assert link_for(ana) in page.text
        assert "https://wa.me/?text=I%27m+in+for+Osso+Buco" in page.text
        assert ".00+instead+of+%2430.00.+I+reserved+portions+for+friends+until" in page.text
        assert "more+and+it%27s+on%2C+and+you+pay+only+then%3A+http" in page.text
        assert "See the invitation" in text_of(page)
        assert "data-copy" not in page.text  # "Share" copies where a device can't share
        assert "1 more and it's on. It's being ordered" in text_of(page)
        friend(world, ana, shows_first_name=True)
        page = text_of(own_page(guest, ana))
        assert "1 friend is in" in page
        assert "I+reserved+a+portion+for+you+until" in own_page(guest, ana).text
        assert "1 more portion is reserved until" in page
        assert "Know someone" not in page
        assert "Bea , 1 portion" in page
        assert "Release 1 portion Others can order it then." in page
        assert "Open it to everyone" in page
        assert "Ruiz" not in page
        page = own_page(guest, ana, action="open_to_everybody")
        assert "Nothing is reserved for your friends anymore" in text_of(page)

    def test_the_starter_sees_the_invitation_as_friends_do(self, guest, world, ana):
        reserve(world, ana, 2)
        preview = f"{link_for(ana)}?preview"
        # Somebody else can order, even if they were sent the address of the preview.
        page = guest.get(preview)
        assert "This is what your friends see." not in text_of(page)
        assert "data-own-special" in page.content.decode()
        assert " inert" not in page.content.decode()
        assert f'href="http://luigis.localhost:8000{preview}"' in own_page(guest, ana).text
        page = guest.get(preview)
        assert "This is what your friends see. See your order Order more Join Ana" in text_of(page)
        # What leads a browser with an order of it to that order, in place of the invitation.
        assert "data-own-special" not in page.content.decode()

    def test_the_starters_browser_is_shown_what_friends_see_and_orders_nothing_there(
        self, guest, world, ana
    ):
        reserve(world, ana, 2)
        own_page(guest, ana)
        page = guest.get(link_for(ana))
        assert "This is what your friends see. See your order Order more Join Ana" in text_of(page)
        assert f'<a href="{order_path(own(ana))}">See your order</a>' in page.text
        assert f'<a href="/specials/{ana.offer_id}#pre-order">Order more</a>' in page.text
        assert '<div data-while-open class="opacity-60" inert>' in page.text
        assert '<div class="order-bar opacity-60" inert>' in page.text
        answer = order_with(guest, link_for(ana))
        assert answer.status_code == 302
        assert answer["Location"] == f"http://luigis.localhost:8000{link_for(ana)}"
        assert not PreOrder.objects.filter(friend_of=ana).exists()
        guest.cookies.clear()
        page = guest.get(link_for(ana))
        assert "This is what your friends see." not in text_of(page)
        assert " inert" not in page.text

    def test_the_starters_browser_joins_no_waitlist_on_the_page_that_friends_see(
        self, guest, world, offer, ana
    ):
        reserve(world, ana, 1)
        friend(world, ana)
        world.authorized_order(world.fresh(offer), 4)
        form = '<form id="waiting-list" data-unless-waiting class="stack scroll-mt-4'
        way_there = 'href="#waiting-list">Join the waitlist</a>'
        page = guest.get(link_for(ana)).text
        assert f'{form}"' in page
        assert f'button-wide"\n{way_there}' in page
        own_page(guest, ana)
        page = guest.get(link_for(ana)).text
        assert "This is what your friends see." in page
        assert f'{form} opacity-60" inert' in page
        assert f'button-wide opacity-60" inert\n{way_there}' in page

    def test_who_shares_the_starters_address_can_order_in_another_browser(self, guest, world, ana):
        reserve(world, ana, 2)
        answer = order_with(guest, link_for(ana), customerEmail=own(ana).customer_email.upper())
        assert answer.status_code in (302, 303)
        assert PreOrder.objects.filter(friend_of=ana).count() == 1

    @pytest.mark.parametrize("minimum", [2, 5], ids=["made", "short"])
    def test_reserving_for_friends_is_the_main_action_unless_sharing_is(
        self, guest, world, minimum
    ):
        offer = world.offer(min_preorders=minimum, max_preorders=6)
        world.authorized_order(offer, 1)
        order = world.authorized_order(world.fresh(offer), 1)
        form = own_page(guest, order).text.partition("reserve-form")[2].partition("</form>")[0]
        assert ('class="button button-primary"' in form) is (minimum == 2)
        page = own_page(guest, order, action="friends", friends="1").text
        form = page.partition("reserve-form")[2].partition("</form>")[0]
        assert 'class="button"' in form

    def test_the_buttons_follow_the_friends_card_which_is_taller_than_the_photo(
        self, guest, world, ana
    ):
        page = own_page(guest, ana).text
        side = page.index('class="order-side"')
        assert page.index('class="order-now"') < page.index('id="bring-friends"') < side
        assert side < page.index('class="order-actions"')
        assert page.count('class="order-actions"') == 1

    def test_a_chat_shows_who_invites_and_what_is_reserved(self, guest, world, ana):
        reserve(world, ana, 2)
        page = " ".join(guest.get(link_for(ana)).text.split())
        assert 'property="og:title" content="Join Ana for Osso Buco">' in page
        [described] = re.findall(r'property="og:description" content="([^"]+)"', page)
        assert described.startswith("2 portions are reserved for friends until ")
        assert "Save 20%" in described
        # The special's own link names nobody.
        page = " ".join(guest.get(f"/specials/{ana.offer_id}").text.split())
        assert 'property="og:title" content="Osso Buco for $' in page
        assert "reserved for friends" not in page

    def test_what_a_guest_writes_to_friends_is_in_the_language_of_the_page(self, guest, world, ana):
        SpecialOffer.objects.filter(pk=ana.offer_id).update(
            translations={"es": {"name": "Osobuco", "description": "", "story": ""}}
        )
        own_page(guest, ana)
        page = guest.get(order_path(own(ana)), headers={"Accept-Language": "es"}).text
        [sent] = set(re.findall(r'href="https://wa\.me/\?text=([^"]+)"', page))
        assert unquote_plus(sent).startswith("Ya pedí Osobuco en Luigi's para el ")
        assert "Pide a más tardar el " in unquote_plus(sent)

    def test_the_starter_can_reserve_more_once_everyone_is_in(self, guest, world, ana):
        reserve(world, ana, 1)
        friend(world, ana)
        assert "Reserve more portions" in text_of(own_page(guest, ana))
        page = text_of(own_page(guest, ana, action="friends", friends="2", again="yes"))
        assert "2 more portions are reserved until" in page
        guest.cookies.clear()
        open_to_everybody(order=own(ana), now=world.now)
        assert "Reserve more portions" not in text_of(guest.get(order_path(own(ana))))

    def test_the_starter_can_reserve_more_while_some_are_still_reserved(self, guest, world, ana):
        page = own_page(guest, ana, action="friends", friends="1")
        assert "Reserve more portions" in text_of(page)
        assert 'name="askedFor" value="1"' in page.text
        page = own_page(guest, ana, action="friends", friends="2", again="yes", askedFor="1")
        assert "3 portions for your friends" in text_of(page)
        # Half of the special is reserved now.
        assert "Reserve more portions" not in text_of(page)
        assert "Release 3 portions" in text_of(page)
        guest.cookies.clear()
        assert "Reserve more portions" not in text_of(guest.get(order_path(own(ana))))

    @pytest.mark.parametrize("minimum", [1, 2, 5], ids=["on", "made", "short"])
    def test_the_card_stays_where_it_was_once_portions_are_reserved(self, guest, world, minimum):
        offer = world.offer(min_preorders=minimum, max_preorders=6)
        world.authorized_order(offer, 1)
        order = world.authorized_order(world.fresh(offer), 1)
        marks = ('id="bring-friends"', 'class="order-actions"', 'id="way"')

        def places():
            page = own_page(guest, order).text
            return sorted(marks, key=page.index)

        card, actions, way = marks
        before = places()
        assert before == ([actions, card, way] if minimum == 1 else [card, actions, way])
        reserve(world, order, 1)
        assert places() == before
        reserve(world, order, 2, again=True, asked_for=1)
        assert places() == before
        open_to_everybody(order=own(order), now=world.now)
        assert places() == before

    def test_the_starter_reads_that_everyone_is_in_once_friends_ordered_all_of_it(
        self, guest, world, ana
    ):
        reserve(world, ana, 2)
        friend(world, ana)
        cem = friend(world, ana, name="Cem Kaya", pays=False)
        page = text_of(own_page(guest, ana))
        assert "The portions you reserved are being ordered right now." in page
        world.pay(cem)
        world.hear(cem)
        page = text_of(own_page(guest, ana))
        assert (
            "Everyone you reserved for is in. More friends can order with your link while portions "
            "are left." in page
        )
        world.authorized_order(world.fresh(ana.offer), 3)
        page = text_of(own_page(guest, ana))
        assert "Everyone you reserved for is in." in page
        assert "More friends" not in page
        world.later(hours=23, minutes=59)
        assert "Nothing is reserved for your friends anymore." in text_of(own_page(guest, ana))

    def test_the_starter_who_released_what_was_left_does_not_read_that_everyone_is_in(
        self, guest, world, ana
    ):
        reserve(world, ana, 2)
        friend(world, ana)
        page = text_of(own_page(guest, ana, action="open_to_everybody"))
        assert "Nothing is reserved for your friends anymore, but they can still order" in page

    def test_a_starter_who_cancels_reads_first_what_becomes_of_the_friends(self, guest, world, ana):
        says = "reserved for friends will be available, too."
        assert says not in text_of(own_page(guest, ana))
        reserve(world, ana, 3)
        friend(world, ana)
        page = text_of(own_page(guest, ana))
        told = "Friends who ordered stay in. We'll email them that you canceled."
        assert f"The 2 portions you {says} {told}" in page
        before = world.fresh(ana.offer)
        own_page(guest, ana, action="cancel")
        after = world.fresh(ana.offer)
        assert before.reserved_portions - after.reserved_portions == 2 + ana.quantity
        assert before.ordered_portions - after.ordered_portions == ana.quantity
        # Whoever canceled invites nobody, and reads who stays in.
        page = own_page(guest, ana).text
        assert "1 friend is in" in page
        for invites in ("wa.me", "data-share", "data-copy", "friends-link"):
            assert invites not in page

    def test_a_friend_who_cancels_reads_first_who_gets_the_portions(self, guest, world, ana):
        reserve(world, ana, 1)
        bea = friend(world, ana)
        others, friends = "will be available to other", "will be reserved for Ana's friends again"
        assert friends in text_of(own_page(guest, bea))
        assert others not in text_of(own_page(guest, bea))
        # Not one who came in addition to those for whom a portion was reserved.
        cem = friend(world, ana, name="Cem Kaya")
        assert others in text_of(own_page(guest, cem))
        assert friends not in text_of(own_page(guest, cem))
        world.later(hours=23, minutes=59)
        assert others in text_of(own_page(guest, bea))

    def test_a_starter_who_canceled_without_friends_reads_nothing_of_them(self, guest, world, ana):
        reserve(world, ana, 2)
        own_page(guest, ana, action="cancel")
        assert 'id="bring-friends"' not in own_page(guest, ana).text

    def test_one_card_invites_friends_and_shares_one_link(self, guest, world, ana):
        before = own_page(guest, ana).text
        assert before.count('id="bring-friends"') == 1
        assert before.count('data-share="') == 1
        assert referral_url(own(ana)) in before
        assert before.count("https://wa.me/?text=I%27m+in+for+Osso+Buco+at+Luigi%27s+on+") == 1
        assert quote_plus(referral_url(own(ana))) in before
        reserve(world, ana, 2)
        after = own_page(guest, ana).text
        assert after.count('data-share="') == 1
        assert f'data-share="http://luigis.localhost:8000{link_for(ana)}"' in after
        assert referral_url(own(ana)) not in after

    def test_too_many_are_refused_at_their_field(self, guest, world, ana):
        page = own_page(guest, ana, action="friends", friends="9")
        assert page.status_code == 400
        assert "You can reserve 1 to 3 portions for friends." in text_of(page)
        assert world.fresh(ana).friends_until is None

    def test_who_only_has_the_link_of_the_order_gets_an_email_to_reserve(
        self, guest, world, ana, mailoutbox
    ):
        ana.offer.restaurant = world.restaurant
        world.work()
        page = guest.get(order_path(ana))
        fold = page.text[page.text.index('id="reserve"') :].partition("</details>")[0]
        assert "Email me a link to reserve them" in fold
        assert 'name="friends"' not in fold
        assert 'name="friends"' in own_page(guest, ana).text
        guest.cookies.clear()
        mailoutbox.clear()
        form = {"action": "link", "for": "change"}
        guest.post(order_path(ana), form, MULTIPART_CONTENT, headers=OURS)
        world.work()
        assert [message.to for message in mailoutbox] == [[f"Ana Lopez <{ana.customer_email}>"]]
        assert world.fresh(ana).friend_portions == 0
        by_id = guest.get(f"/pre-order-confirmation?preorder={ana.pk}").text
        assert 'id="reserve"' not in by_id

    @pytest.mark.parametrize(
        ("minimum", "title"), [(2, "Make it happen with friends"), (1, "Bring friends")]
    )
    def test_portions_can_be_reserved_while_it_is_short_and_once_it_is_on(
        self, guest, world, minimum, title
    ):
        offer = world.offer(min_preorders=minimum, max_preorders=6)
        order = world.authorized_order(offer, 1)
        page = own_page(guest, order)
        assert title in text_of(page)
        share, fold = page.text.index('class="order-share"'), page.text.index('id="reserve"')
        assert share < fold < page.text.index('id="way"')
        offer.friend_hours = 0
        offer.save()
        assert 'id="reserve"' not in own_page(guest, order).text

    def test_who_only_has_the_link_of_the_order_sees_neither_friends_nor_their_link(
        self, guest, world, ana
    ):
        reserve(world, ana, 2)
        friend(world, ana, shows_first_name=True)
        ana.offer.restaurant = world.restaurant
        page = guest.get(order_path(ana))
        assert "Bea" not in page.text
        assert link_for(ana) not in page.text
        assert "friend is in" not in text_of(page)
        assert "1 portion for your friends Reserved until" in " ".join(text_of(page).split())
        assert "Email me a link to invite them" in text_of(page)
        assert "Release" not in text_of(page)
        form = {"action": "open_to_everybody"}
        refused = guest.post(order_path(ana), form, MULTIPART_CONTENT, headers=OURS)
        assert refused.status_code == 403
        assert world.fresh(ana).friend_portions == 2

    def test_after_the_deadline_only_the_friends_who_are_in_are_shown(self, guest, world, ana):
        reserve(world, ana, 2)
        friend(world, ana, shows_first_name=True)
        world.settle(world.fresh(ana.offer))
        page = own_page(guest, ana)
        assert "Bea , 1 portion" in text_of(page)
        assert link_for(ana) not in page.text


class TestTheFriendsPage:
    def test_a_friend_orders_a_reserved_portion_of_a_full_special(self, guest, world, offer, ana):
        reserve(world, ana, 1)
        world.authorized_order(offer, 4)
        assert "Join the waitlist" in guest.get(f"/specials/{offer.pk}").text
        page = guest.get(link_for(ana))
        invitation = page.text.partition('class="invitation ')[2].partition("special-facts")[0]
        assert "1 portion is reserved for a friend until" in invitation
        assert text_of(page).count("reserved for a friend until") == 1
        assert "Lopez" not in page.text
        assert ana.pk.hex not in page.text
        assert f'action="{link_for(ana)}/order#pre-order"' in page.text
        assert "no-cache" in page["Cache-Control"]
        assert page["X-Robots-Tag"] == "noindex"
        answer = order_with(guest, link_for(ana), showFirstName="true")
        assert answer.status_code == 303
        order = PreOrder.objects.get(customer_email="bea@example.test")
        assert answer.headers["Location"] == order.checkout_url
        assert (order.friend_of_id, order.shows_first_name) == (ana.pk, True)

    def test_the_payment_page_says_with_whom_a_friend_comes(self, world, ana):
        reserve(world, ana, 1)
        joined = friend(world, ana, pays=False)
        asked = checkout_request(joined, expires_at=world.now, hold_only=True, note="")
        assert asked.item.description == (
            "Wed, Mar 24 · Dine in or pickup · Invited by Ana · Held now, charged only if it's on"
        )

    def test_the_link_works_on_the_platforms_host_and_is_what_a_chat_shares(
        self, guest, api, world, ana
    ):
        reserve(world, ana, 2)
        page = api().get(link_for(ana))
        assert "2 portions are reserved for friends until" in page.text
        link = f"http://luigis.localhost:8000{link_for(ana)}"
        assert f'<meta property="og:url" content="{link}">' in guest.get(link_for(ana)).text

    def test_the_first_name_is_asked_for_with_the_name_and_never_assumed(self, guest, world, ana):
        reserve(world, ana, 1)
        page = guest.get(link_for(ana)).text
        not_shown, shown = (
            '<input type="radio" name="showFirstName" value=""',
            '<input type="radio" name="showFirstName" value="true"',
        )
        assert f"{not_shown} checked>" in " ".join(page.split())
        assert f"{shown}>" in " ".join(page.split())
        assert page.index("data-express=") < page.index('id="customerName"')
        assert "Ana sees A friend Your first name" in text_of(guest.get(link_for(ana)))
        assert page.index('name="showFirstName"') < page.index("data-express=")
        page = order_with(guest, link_for(ana), customerName="", showFirstName="true").text
        assert f"{not_shown}>" in " ".join(page.split())
        assert f"{shown} checked>" in " ".join(page.split())

    def test_the_friends_form_and_order_name_the_guest_they_join(self, guest, world, ana):
        reserve(world, ana, 2)
        page = guest.get(link_for(ana))
        assert "Join Ana" in text_of(page)
        assert 'data-own-special="' in page.text
        assert "You joined Ana. You ordered this special. See your order" in text_of(page)
        joined = friend(world, ana)
        page = own_page(guest, joined)
        assert "Your portion is in, with Ana" in text_of(page)
        here = f'data-special="{ana.offer_id}" data-portions="1" data-joined'
        assert here in " ".join(page.text.split())
        assert "with Ana" not in text_of(guest.get(f"/pre-order-confirmation?preorder={joined.pk}"))
        guest.cookies.clear()
        assert "with Ana" not in text_of(guest.get(order_path(joined)))
        cancel_own_order(order=own(ana), now=world.now)
        assert "with Ana" not in text_of(own_page(guest, joined))
        assert "Join Ana" not in text_of(guest.get(link_for(ana)))

    def test_errors_are_shown_on_the_friends_page(self, guest, world, offer, ana):
        reserve(world, ana, 1)
        world.authorized_order(offer, 4)
        page = order_with(guest, link_for(ana), quantity="2", customerName="")
        assert page.status_code == 400
        assert "Name is required" in page.text
        page = order_with(guest, link_for(ana), quantity="2")
        assert page.status_code == 409
        assert "Only 1 portion is left" in page.text
        assert f'action="{link_for(ana)}/order#pre-order"' in page.text
        assert not PreOrder.objects.filter(friend_of=ana.pk).exists()

    def test_the_friends_page_begins_with_who_invites_what_to_and_when_they_come(
        self, guest, world, offer, ana
    ):
        reserve(world, ana, 1)
        serving = serving_of(own(ana).offer)
        evening = " · ".join(filter(None, (serving.day, serving.time)))
        assert f"Join Ana {offer.name} {evening} · " in text_of(guest.get(link_for(ana)))
        slot = PickupSlot.objects.create(
            offer=offer,
            restaurant_id=offer.restaurant_id,
            starts_at=world.now + timedelta(days=2, hours=6),
            ends_at=world.now + timedelta(days=2, hours=6, minutes=30),
        )
        PreOrder.objects.filter(pk=ana.pk).update(pickup_slot=slot)
        page = text_of(guest.get(link_for(ana)))
        day = serving.day
        assert f"Join Ana {offer.name} {day} · 6:00–6:30 PM · " in page
        full = (
            "Ana is there at 6:00–6:30 PM, which is full now. This is the nearest time with room."
        )
        assert full not in page.replace("\u00a0", " ")
        PickupSlot.objects.filter(pk=slot.pk).update(capacity=1)
        page = text_of(guest.get(link_for(ana))).replace("\u00a0", " ")
        assert f"Ana is in {offer.name} {day} · 6:00–6:30 PM · " in page
        assert "Every time is full right now" in page
        PickupSlot.objects.create(
            offer=offer,
            restaurant_id=offer.restaurant_id,
            starts_at=slot.ends_at,
            ends_at=slot.ends_at + timedelta(minutes=30),
        )
        page = text_of(guest.get(link_for(ana))).replace("\u00a0", " ")
        assert f"Join Ana {offer.name} {day} · 6:30–7:00 PM · " in page
        assert full in page

    def test_a_friend_finds_what_is_reserved_where_all_else_is_sold_out(
        self, guest, world, offer, ana
    ):
        reserve(world, ana, 2)
        world.authorized_order(offer, 3)
        slot = PickupSlot.objects.create(
            offer=offer,
            restaurant_id=offer.restaurant_id,
            starts_at=world.now + timedelta(days=2, hours=6),
            ends_at=world.now + timedelta(days=2, hours=6, minutes=30),
        )
        page = guest.get(link_for(ana))
        assert "Ana reserved 2 for friends" in text_of(page)
        assert "Last 2 portions" not in text_of(page)
        assert "Waitlist" not in text_of(page)
        assert f'<option value="{slot.pk}"' in page.text
        assert "data-open-sheet" in page.text

    def test_a_friend_who_comes_too_late_is_told_and_can_order_what_is_left(
        self, guest, world, offer, ana
    ):
        reserve(world, ana, 1)
        friend(world, ana)
        page = text_of(guest.get(link_for(ana)))
        taken = "The portions Ana reserved for friends are taken or open to everyone now."
        assert page.index("Join Ana") < page.index(taken) < page.index("Save 20%")
        assert order_with(guest, link_for(ana), customerEmail="cem@example.test").status_code == 303
        world.cancel(world.fresh(ana))
        page = guest.get(link_for(ana))
        assert "Ana canceled" in text_of(page)
        guest.cookies.clear()  # with an order that waits for its card, that one is said
        page = guest.get(link_for(ana))
        assert "Ana canceled, and you're still in." in text_of(page)
        assert "You joined Ana" not in text_of(page)
        assert "data-unless-own data-before-sheet" in page.text
        assert "know it's you" not in text_of(page)

    def test_a_full_special_points_to_the_waitlist_and_a_closed_one_says_so(
        self, guest, world, offer, ana
    ):
        reserve(world, ana, 1)
        friend(world, ana)
        world.authorized_order(offer, 4)
        page = text_of(guest.get(link_for(ana)))
        assert "The portions Ana reserved for friends are taken. Join the waitlist below" in page
        world.settle(world.fresh(offer))
        page = text_of(guest.get(link_for(ana)))
        assert "Ana invited you Orders have closed, so you can't join anymore." in page
        assert "Join the waitlist" not in page

    def test_a_late_friend_isnt_sent_to_a_waitlist_where_every_time_is_full(
        self, guest, world, offer, ana
    ):
        reserve(world, ana, 1)
        world.later(minutes=1)
        cancel_own_order(order=ana, now=world.now)
        PickupSlot.objects.create(
            offer=offer,
            restaurant_id=offer.restaurant_id,
            starts_at=world.now + timedelta(days=2, hours=6),
            ends_at=world.now + timedelta(days=2, hours=6, minutes=30),
            capacity=0,
        )
        page = text_of(guest.get(link_for(ana)))
        assert "Ana canceled Nothing is reserved for you anymore." in page
        assert "Every time is full right now" in page
        assert "Join the waitlist" not in page

    def test_another_link_leads_to_the_special(self, guest, api, world, offer, ana):
        reserve(world, ana, 1)
        answer = guest.get(link_for(ana)[:-1] + "x")
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/specials/{offer.pk}")
        elsewhere = api(at=world.open_restaurant(name="Ming's", subdomain="mings"))
        assert elsewhere.get(link_for(ana)).status_code == 404
        assert order_with(elsewhere, link_for(ana)).status_code == 404

    def test_another_sites_page_orders_nothing(self, guest, world, ana):
        reserve(world, ana, 1)
        typed = urlencode({"quantity": "1", "customerName": "B", "customerEmail": "b@example.test"})
        kind = "application/x-www-form-urlencoded"
        other = {"Sec-Fetch-Site": "cross-site"}
        answer = guest.post(f"{link_for(ana)}/order", typed, kind, headers=other)
        assert answer.status_code == 403
        assert PreOrder.objects.count() == 1


class TestTheApi:
    def test_a_program_reads_what_is_reserved_and_orders_it(self, guest, world, offer, ana):
        until = reserve(world, ana, 2).friends_until
        token = friends_token(world.fresh(ana))
        answer = guest.get(f"/api/specials/{offer.pk}/friends/{token}")
        assert answer.json() == {
            "name": "Ana",
            "portions": 2,
            "reservedUntil": until.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "perOrderLimit": 5,
        }
        body = {
            "dishId": str(offer.pk),
            "quantity": 2,
            "customerName": "Bea Ruiz",
            "customerEmail": "bea@example.test",
            "friendsLink": token,
            "showFirstName": True,
        }
        assert guest.post("/api/pre-orders", body).status_code == 201
        assert guest.get(f"/api/specials/{offer.pk}/friends/{token}").json()["portions"] == 0

    def test_a_link_we_did_not_sign_is_refused(self, guest, world, offer, ana):
        reserve(world, ana, 2)
        wrong = friends_token(world.fresh(ana))[:-1] + "-"
        assert guest.get(f"/api/specials/{offer.pk}/friends/{wrong}").status_code == 404
        body = {
            "dishId": str(offer.pk),
            "customerName": "Bea",
            "customerEmail": "bea@example.test",
            "friendsLink": wrong,
        }
        answer = guest.post("/api/pre-orders", body)
        assert answer.status_code == 400
        assert [each["field"] for each in answer.json()["errors"]] == ["friendsLink"]


class TestTheRestaurantsSide:
    def test_the_kitchen_sheet_and_the_orders_name_the_party(self, api, world, offer, ana):
        reserve(world, ana, 2)
        bea = friend(world, ana)
        world.authorized_order(offer)
        sheet = sheet_of_offer(restaurant=world.restaurant, offer_id=offer.pk)
        assert sheet
        [party] = sheet.offers[0].parties
        assert (party.name, {each.pk for each in party.orders}) == ("Ana Lopez", {ana.pk, bea.pk})
        member = MembershipFactory(restaurant=world.restaurant, role=Membership.Role.OWNER)
        owner = api(member.user)
        parties = [each["party"] for each in owner.get("/api/orders").json()["orders"]]
        two = {"name": "Ana Lopez", "orders": 2}
        assert sorted(parties, key=json.dumps) == sorted([None, two, two], key=json.dumps)
        page = owner.get(f"/restaurant/kitchen?offer={offer.pk}")
        assert "Ana Lopez’s party , 2 orders:" in text_of(page)

    def test_a_guest_downloads_what_they_reserved(self, world, ana):
        until = reserve(world, ana, 2).friends_until
        found = PreOrder.objects.select_related("offer__restaurant").get(pk=ana.pk)
        assert guest_data(found)["orders"][0]["friends"] == {
            "portionsReserved": 2,
            "reservedUntil": until,
            "cameWithAFriendsLink": False,
            "showsFirstName": False,
        }
