"""The language a guest is written to: that of the page they used last."""

from apps.common.languages import spoken
from apps.preorders.models import PreOrder


def follow_language(order: PreOrder) -> None:
    """Write to the order's guest in the active language from now on. Only for a request by the
    guest: anyone else who opens the link has their own language."""
    if order.language != spoken():
        PreOrder.objects.filter(pk=order.pk).update(language=spoken())
        order.language = spoken()
