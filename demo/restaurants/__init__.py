"""The demo's three restaurants: two that take orders, one whose payments are not set up yet."""

from demo.restaurants.casa_verde import CASA_VERDE
from demo.restaurants.luigis import LUIGIS
from demo.restaurants.sakura import SAKURA

__all__ = ["CASA_VERDE", "LUIGIS", "RESTAURANTS", "SAKURA"]

RESTAURANTS = (LUIGIS, SAKURA, CASA_VERDE)
