"""Hosted pages: checkout, 3-D Secure, onboarding, dashboards, and the browser script."""

from starlette.routing import Route

from ..server import Server
from .account_pages import AccountPages
from .browser_pages import BrowserPages
from .checkout_page import CheckoutPages
from .portal_page import PortalPages

__all__ = ["routes"]


def routes(server: Server) -> list[Route]:
    families = (CheckoutPages, AccountPages, PortalPages, BrowserPages)
    return [route for family in families for route in family(server).routes()]
