"""What people see: hosted checkout, 3-D Secure, onboarding, dashboards."""

from starlette.routing import Route

from ..server import Server
from .checkout_page import CheckoutPages

__all__ = ["routes"]


def routes(server: Server) -> list[Route]:
    return [*CheckoutPages(server).routes()]
