"""The language a guest is written to: that of the page they used last."""

from apps.common.languages import spoken
from apps.preorders.models import PreOrder


def follow_language(order: PreOrder) -> None:
    """Write to the order's guest in the active language from now on. Only for a request of the
    guest's own: whoever else opens the link has a language of their own."""
    if order.language != spoken():
        PreOrder.objects.filter(pk=order.pk).update(language=spoken())
        order.language = spoken()
