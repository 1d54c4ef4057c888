"""The QR code of an order: the address of its page, for the camera at the door."""

from io import BytesIO

import segno
from django.utils.safestring import SafeString, mark_safe

from apps.preorders.models import PreOrder
from apps.preorders.models.states import COUNTED_PAYMENTS, PreOrderStatus
from apps.restaurants.hosts import absolute_url


def confirmation_address(order: PreOrder) -> str:
    """The page that says what became of the order, to whoever looks: it shows nobody's name and
    lets nobody change anything."""
    path = f"/pre-order-confirmation?preorder={order.pk}"
    return absolute_url(path, restaurant=order.offer.restaurant)


def shows_code(order: PreOrder) -> bool:
    """Whether the guest will need the code at the door: held or paid, and not fetched yet."""
    return order.payment_status in COUNTED_PAYMENTS and order.status in (
        PreOrderStatus.PENDING,
        PreOrderStatus.CONFIRMED,
    )


def order_qr_png(order: PreOrder) -> bytes:
    """The same code as a picture, for a letter: some 250 pixels wide."""
    drawn = BytesIO()
    code = segno.make(confirmation_address(order), error="m", micro=False)
    code.save(drawn, kind="png", scale=6, border=3, dark="#1f1a17", light="#fff")
    return drawn.getvalue()


def order_qr_svg(order: PreOrder) -> SafeString:
    """The code as an SVG element that fills its box; dark on light in either theme, since cameras
    want it so. Readable with a sixth of it hidden by a fold or a scratch (error correction M)."""
    code = segno.make(confirmation_address(order), error="m", micro=False)
    drawn = code.svg_inline(omitsize=True, border=3, dark="#1f1a17", light="#fff", svgclass="qr")
    return mark_safe(drawn)  # an address of ours, drawn as squares
