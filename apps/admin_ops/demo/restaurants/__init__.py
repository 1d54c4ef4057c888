"""The demo's three restaurants: two that take orders, one whose payments are not set up yet."""

from apps.admin_ops.demo.restaurants.casa_verde import CASA_VERDE
from apps.admin_ops.demo.restaurants.luigis import LUIGIS
from apps.admin_ops.demo.restaurants.sakura import SAKURA

__all__ = ["CASA_VERDE", "LUIGIS", "RESTAURANTS", "SAKURA"]

RESTAURANTS = (LUIGIS, SAKURA, CASA_VERDE)
