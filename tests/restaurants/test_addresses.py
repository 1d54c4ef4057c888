"""Proposing, choosing, and giving up an address."""

from datetime import timedelta

import pytest

from apps.common.errors import Conflict, Invalid
from apps.restaurants import subdomains
from apps.restaurants.hosts import restaurant_for_host
from apps.restaurants.models import Domain, FormerAddress, Restaurant
from apps.restaurants.services import addresses
from tests.conftest import NOON
from tests.factories import DomainFactory, RestaurantFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


def new(name="Trattoria Zur Post", **fields):
    fields = {"email": f"{Restaurant.objects.count()}@new.test", **fields}
    return Restaurant(name=name, **fields)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Luigi's Trattoria", "luigis-trattoria"),
        ("Café Müller & Söhne", "cafe-muller-sohne"),
        ("  Straße – 7  ", "strasse-7"),
        ("Ærø_Smørrebrød", "aero-smorrebrod"),
        ("--- The --- Old ---", "the-old"),
        ("鮨", "restaurant"),
        ("", "restaurant"),
        ("Xi", "xi-restaurant"),
        ("x" * 60, "x" * 50),
        ("y" * 49 + " zzz", "y" * 49),
    ],
)
def test_a_name_suggests_a_subdomain(name, label):
    assert subdomains.suggest(name) == label
    assert subdomains.validate_subdomain(label) == []


@pytest.mark.parametrize(
    ("subdomain", "problem"),
    [
        ("ab", "Use 3 to 50 characters"),
        ("a" * 51, "Use 3 to 50 characters"),
        ("", "Use 3 to 50 characters"),
        ("lu_igi", "Use only letters, numbers, and hyphens"),
        ("lu.igi", "Use only letters, numbers, and hyphens"),
        ("müller", "Use only letters, numbers, and hyphens"),
        ("-luigi", "Start and end with a letter or a number"),
        ("luigi-", "Start and end with a letter or a number"),
        ("-_", "Use 3 to 50 characters, use only letters, numbers, and hyphens, "
               "start and end with a letter or a number"),
        ("www", "This word is reserved, choose another"),
        ("fonts", "This word is reserved, choose another"),
    ],
)  # fmt: skip
def test_an_invalid_subdomain_is_refused_with_every_reason(subdomain, problem):
    assert subdomains.describe_errors(subdomains.validate_subdomain(subdomain)) == problem
    with pytest.raises(Invalid) as refusal:
        addresses.check_form(subdomain)
    assert refusal.value.message == addresses.NOT_AVAILABLE
    assert [(each.field, each.message) for each in refusal.value.fields] == [("subdomain", problem)]


SPECIFIED = [
    *("www", "api", "admin", "app", "mail", "ftp", "blog", "shop", "store", "support", "help"),
    *("docs", "dev", "staging", "test", "demo", "cdn", "static", "assets", "images", "img"),
    *("js", "css", "font", "fonts"),
]


def test_the_reserved_words_include_the_specifications(settings):
    assert len(SPECIFIED) == 25
    assert set(SPECIFIED) <= settings.RESERVED_SUBDOMAINS


OURS = (
    "login accounts auth secure pay payments checkout billing stripe status platform mta-sts "
    "autodiscover webmail smtp ns1 postmaster abuse security"
)


@pytest.mark.parametrize("word", OURS.split())
def test_names_that_could_pass_for_ours_are_reserved(settings, word):
    assert word in settings.RESERVED_SUBDOMAINS
    for word in settings.RESERVED_SUBDOMAINS:
        assert not addresses.is_free(word, now=NOON)


def test_a_label_can_be_as_long_as_the_dns_allows_where_that_is_said():
    assert subdomains.validate_subdomain("a" * 63, longest=63) == []
    assert subdomains.validate_subdomain("a" * 64, longest=63) == ["use 3 to 63 characters"]


def test_a_proposal_is_numbered_when_taken():
    RestaurantFactory(subdomain="zur-post")
    RestaurantFactory(subdomain="x2", slug="zur-post-2")
    RestaurantFactory(subdomain="zur-post-3")
    assert addresses.propose_subdomain("Zur Post", now=NOON) == "zur-post-4"
    assert addresses.propose_subdomain("Demo", now=NOON) == "demo-2"


def test_a_proposal_is_never_too_long():
    RestaurantFactory(subdomain="x" * 50)
    assert addresses.propose_subdomain("x" * 80, now=NOON) == "x" * 48 + "-2"


def test_a_name_that_very_many_have_still_gets_an_address():
    for number in range(1, 21):
        RestaurantFactory(subdomain=subdomains.numbered("pizza", number))
    proposal = addresses.propose_subdomain("Pizza", now=NOON)
    assert proposal.startswith("pizza-")
    assert addresses.is_free(proposal, now=NOON)


def test_a_new_restaurant_answers_at_once(run_tasks):
    assert restaurant_for_host("trattoria-zur-post.localhost") is None  # and that is remembered
    restaurant = addresses.create_with_address(new(), now=NOON)
    run_tasks()
    assert (restaurant.subdomain, restaurant.slug) == ("trattoria-zur-post",) * 2
    assert restaurant.subdomain_chosen_at is None
    assert restaurant_for_host("trattoria-zur-post.localhost") == restaurant


def test_a_new_restaurant_can_ask_for_its_address_and_slug():
    restaurant = addresses.create_with_address(new(slug="the-post"), subdomain="post", now=NOON)
    restaurant.refresh_from_db()
    assert (restaurant.subdomain, restaurant.slug) == ("post", "the-post")
    assert restaurant.subdomain_chosen_at == NOON
    assert Domain.objects.get(tenant=restaurant).domain == "post.localhost"


def test_a_taken_address_is_refused_with_a_free_one():
    RestaurantFactory(subdomain="post")
    with pytest.raises(addresses.SubdomainTaken) as refusal:
        addresses.create_with_address(new(), subdomain="post", now=NOON)
    assert refusal.value.status == 409
    assert refusal.value.message == addresses.NOT_AVAILABLE
    assert refusal.value.extra == {"suggestion": "post-2"}
    assert not Restaurant.objects.filter(name="Trattoria Zur Post").exists()


def test_an_asked_for_address_whose_word_is_somebodys_slug_gets_another_slug():
    RestaurantFactory(subdomain="other", slug="post")
    restaurant = addresses.create_with_address(new(), subdomain="post", now=NOON)
    assert (restaurant.subdomain, restaurant.slug) == ("post", "post-2")


def test_an_email_another_restaurant_has_is_refused_for_what_it_is():
    RestaurantFactory(email="hello@post.test")
    with pytest.raises(Conflict) as refusal:
        addresses.create_with_address(new(email="hello@post.test"), now=NOON)
    assert refusal.value.message == addresses.EMAIL_TAKEN
    assert refusal.value.fields[0].field == "email"


def test_a_restaurant_chooses_another_address_and_its_old_one_stays_reserved(cast, run_tasks):
    luigis = addresses.claim_subdomain(restaurant=cast.restaurant, subdomain="luigi", now=NOON)
    run_tasks()
    assert luigis.subdomain_chosen_at == NOON
    assert luigis.slug == "luigis"
    assert [each.domain for each in Domain.objects.filter(tenant=luigis)] == ["luigi.localhost"]
    former = FormerAddress.objects.get()
    assert (former.host, former.until) == ("luigis.localhost", NOON + timedelta(days=30))
    assert restaurant_for_host("luigi.localhost") == luigis


def test_the_proposed_address_can_be_chosen_as_it_is(cast):
    chosen = addresses.claim_subdomain(restaurant=cast.restaurant, subdomain="luigis", now=NOON)
    assert chosen.subdomain_chosen_at == NOON
    assert not FormerAddress.objects.exists()


@pytest.mark.parametrize("taken", ["mings", "static"])
def test_a_taken_or_reserved_address_cannot_be_chosen(cast, taken):
    with pytest.raises((addresses.SubdomainTaken, Invalid)):
        addresses.claim_subdomain(restaurant=cast.restaurant, subdomain=taken, now=NOON)
    cast.restaurant.refresh_from_db()
    assert cast.restaurant.subdomain == "luigis"
    assert Domain.objects.filter(domain="luigis.localhost", tenant=cast.restaurant).exists()


def test_a_former_address_is_nobody_elses_for_thirty_days(cast):
    addresses.claim_subdomain(restaurant=cast.restaurant, subdomain="luigi", now=NOON)

    def can_be_taken(now):
        return addresses.is_free("luigis", now=now)

    assert not can_be_taken(NOON)
    assert not can_be_taken(NOON + timedelta(days=30, seconds=-1))
    assert can_be_taken(NOON + timedelta(days=30))
    with pytest.raises(addresses.SubdomainTaken) as refusal:
        addresses.claim_subdomain(restaurant=cast.other, subdomain="luigis", now=NOON)
    assert refusal.value.extra == {"suggestion": "luigis-2"}
    late = NOON + timedelta(days=31)
    addresses.claim_subdomain(restaurant=cast.other, subdomain="luigis", now=late)
    assert {each.host: each.restaurant for each in FormerAddress.objects.all()} == {
        "mings.localhost": cast.other
    }


def test_a_restaurant_can_reclaim_its_former_address(cast):
    for subdomain in ("luigi", "gigi", "luigis"):
        addresses.claim_subdomain(restaurant=cast.restaurant, subdomain=subdomain, now=NOON)
    hosts = set(FormerAddress.objects.values_list("host", flat=True))
    assert hosts == {"luigi.localhost", "gigi.localhost"}


def test_a_domain_of_its_own_is_not_touched(cast):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(domain="luigis.example")
    DomainFactory(tenant=cast.restaurant, domain="luigis.example", is_primary=True)
    cast.restaurant.refresh_from_db()
    addresses.claim_subdomain(restaurant=cast.restaurant, subdomain="luigi", now=NOON)
    own = Domain.objects.get(domain="luigis.example")
    assert (own.tenant, own.is_primary) == (cast.restaurant, True)
    assert restaurant_for_host("luigis.example") == cast.restaurant
    assert Domain.objects.get(domain="luigi.localhost").is_primary is False


def test_a_custom_domain_below_our_own_is_nobodys_subdomain(cast):
    DomainFactory(tenant=cast.other, domain="chef.localhost", is_primary=False)
    assert not addresses.is_free("chef", now=NOON)


def test_former_addresses_end_after_thirty_days(cast):
    addresses.claim_subdomain(restaurant=cast.restaurant, subdomain="luigi", now=NOON)
    assert addresses.end_old_addresses(now=NOON + timedelta(days=29)) == 0
    assert addresses.end_old_addresses(now=NOON + timedelta(days=30)) == 1
    assert not FormerAddress.objects.exists()
