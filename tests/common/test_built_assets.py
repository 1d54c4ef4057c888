"""Pages name the scripts that they will need, so that none is asked for one after the other."""

import json
import re

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django_vite.core.asset_loader import DjangoViteAssetLoader

from tests.factories import RestaurantFactory

PAGES = "frontend/src/pages/"
CART, PAYMENT = f"{PAGES}cart/cart.tsx", f"{PAGES}cart/cart-return.tsx"
WALLETS, PUBLIC = f"{PAGES}cart/express.ts", f"{PAGES}storefront/public.ts"


@pytest.fixture(scope="module")
def manifest():
    path = settings.BASE_DIR / "frontend" / "dist" / ".vite" / "manifest.json"
    return json.loads(path.read_text())


def imports_of(manifest, source):
    """The addresses of all scripts that run before this one does, and its own."""
    found, to_follow = set(), [source]
    while to_follow:
        key = to_follow.pop()
        if key not in found:
            found.add(key)
            to_follow += manifest[key].get("imports", [])
    loader = DjangoViteAssetLoader.instance()
    return {loader.generate_vite_asset_url(key) for key in found}


@pytest.fixture
def named():
    """What every page with a cart names."""
    bar = render_to_string("offers/cart_bar.html", {"restaurant": RestaurantFactory.build()})
    return re.findall(r'<link rel="modulepreload" href="([^"]+)">', bar)


@pytest.mark.parametrize("source", [CART, PAYMENT, WALLETS])
def test_a_page_with_a_cart_names_all_that_its_way_to_pay_imports(manifest, named, source):
    own = {DjangoViteAssetLoader.instance().generate_vite_asset_url(source)}
    assert imports_of(manifest, source) <= {*named, *imports_of(manifest, PUBLIC), *own}


def test_each_is_named_once_and_no_style_sheet_as_a_script(named):
    assert len(named) == len(set(named))
    assert [name for name in named if not name.endswith(".js")] == []
