"""An order as a calendar file (RFC 5545): the pickup time, the dinner, or the serve date, in the
restaurant's time zone.

The event keeps its UID, and its SEQUENCE grows with the order's audit rows, so a calendar always
keeps the newest version, in whatever order the emails are opened.

Calendars are shared and synchronized. The event links to the order's page, whose link shows nothing
personal and changes nothing by itself (decision 55).
"""

from datetime import UTC, date, datetime, timedelta
from email.mime.base import MIMEBase
from email.mime.text import MIMEText

from django.conf import settings
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Event, vCalAddress, vUri

from apps.common import formats
from apps.common.emails import PLATFORM_NAME, one_line
from apps.offers.models import SpecialOffer
from apps.offers.seats import is_on
from apps.preorders.core.links import order_url
from apps.preorders.models import PreOrder
from apps.preorders.models.states import COUNTED_PAYMENTS, PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

PUBLISH, CANCEL = "PUBLISH", "CANCEL"
TENTATIVE, CONFIRMED, CANCELLED = "TENTATIVE", "CONFIRMED", "CANCELLED"
RETURNED = frozenset({PaymentStatus.RELEASED, PaymentStatus.REFUNDED})
# Before the pickup time or the serving window; for an all-day event, after midnight.
BEFORE_START, ON_THE_DAY = timedelta(hours=-2), timedelta(hours=9)
# A time to arrive is short; who eats there stays at least this long (decision 183).
AT_THE_TABLE = timedelta(minutes=90)
# Whoever comes any time in a longer window isn't there for most of it.
LONGEST_DINNER = 2 * AT_THE_TABLE


def order_calendar(order: PreOrder) -> bytes:
    """The calendar file of an order as of now; for an order that has ended, it removes the event.

    Reads the order's audit rows, `order.offer.restaurant` and `order.pickup_slot`.
    """
    status = _status(order)
    calendar = Calendar()
    calendar.add("prodid", f"-//{PLATFORM_NAME}//Orders//EN")
    calendar.add("version", "2.0")
    calendar.add("method", _method(status))
    calendar.add_component(_event(order, status))
    # Time zone rules for the years around the day only; for all years they would fill the file.
    year = order.offer.serve_date.year
    calendar.add_missing_timezones(first_date=date(year - 1, 1, 1), last_date=date(year + 2, 1, 1))
    written: bytes = calendar.to_ical()
    return written


def calendar_part(order: PreOrder) -> MIMEBase:
    """The same as an email attachment; its content type names the method, as clients expect."""
    part = MIMEText(order_calendar(order).decode(), "calendar", "utf-8")
    part.set_param("method", _method(_status(order)))
    part.add_header("Content-Disposition", "attachment", filename=calendar_file_name(order))
    return part


def calendar_file_name(order: PreOrder) -> str:
    return f"order-{order.code}.ics"


def _method(status: str) -> str:
    return CANCEL if status == CANCELLED else PUBLISH


def _status(order: PreOrder) -> str:
    if order.status == PreOrderStatus.CANCELLED or order.payment_status in RETURNED:
        return CANCELLED
    if order.status != PreOrderStatus.PENDING:
        return CONFIRMED
    is_expected = is_on(order.offer) and order.payment_status in COUNTED_PAYMENTS
    return CONFIRMED if is_expected else TENTATIVE


def _event(order: PreOrder, status: str) -> Event:
    restaurant = order.offer.restaurant
    transitions = list(order.transitions.order_by("-pk").values_list("at", flat=True))
    event = Event()
    event.add("uid", f"{order.pk}@{settings.ROOT_DOMAIN}")
    event.add("sequence", len(transitions))
    event.add("dtstamp", transitions[0] if transitions else order.created_at)
    event.add("status", status)
    event.add("summary", one_line(_summary(order, status)))
    _add_times(event, order)
    if restaurant.address:
        event.add("location", one_line(f"{restaurant.name}, {restaurant.address}"))
    if restaurant.latitude is not None and restaurant.longitude is not None:
        event.add("geo", (float(restaurant.latitude), float(restaurant.longitude)))
    url = order_url(order)
    call = _("Questions? Call %(phone)s.") % {"phone": restaurant.phone} if restaurant.phone else ""
    event.add(
        "description", "\n\n".join(part for part in (_story(order, status), call, url) if part)
    )
    event.add("url", vUri(url))
    event.add("organizer", _organizer(restaurant))
    # Transparent is free: https://www.rfc-editor.org/rfc/rfc5545#section-3.8.2.7
    takes_time = status == CONFIRMED and _is_at_the_table(order)
    event.add("transp", "OPAQUE" if takes_time else "TRANSPARENT")
    if status != CANCELLED:
        event.add_component(_alarm(order, status))
    return event


def _is_at_the_table(order: PreOrder) -> bool:
    """Whether the guest is there for the time of the entry, or most of it: not who picks the order
    up in a moment of it, nor who comes any time in a long window (decision 183)."""
    start, end = order.serving.start, order.serving.end
    if start is None or not order.is_eaten_there:
        return False
    if order.pickup_slot_id is not None or end is None:
        return True
    return end.astimezone(UTC) - start.astimezone(UTC) <= LONGEST_DINNER


def _add_times(event: Event, order: PreOrder) -> None:
    """The pickup time, or the dinner; the whole day without times.

    An event that starts at a time and has no end takes no time:
    https://www.rfc-editor.org/rfc/rfc5545#section-3.6.1
    """
    serving = order.serving
    if serving.start is None:
        event.add("dtstart", serving.date)
        event.add("dtend", serving.date + timedelta(days=1))
        return
    event.add("dtstart", serving.start)
    end = _end_of_dinner(serving.start, serving.end) if order.is_eaten_there else serving.end
    if end is not None:
        event.add("dtend", end)


def _end_of_dinner(start: datetime, end: datetime | None) -> datetime:
    """Counted in UTC, because a zone's clock can be changed in between. A time that comes twice
    that night stays in UTC: in the file, its local time would mean the first one
    (https://www.rfc-editor.org/rfc/rfc5545#section-3.3.5)."""
    earliest = start.astimezone(UTC) + AT_THE_TABLE
    latest = max(earliest, end.astimezone(UTC)) if end else earliest
    local = latest.astimezone(start.tzinfo)
    return latest if local.fold else local


def _summary(order: PreOrder, status: str) -> str:
    names = {"dish": order.served_name, "restaurant": order.offer.restaurant.name}
    if status == TENTATIVE and not is_on(order.offer):
        return _("%(dish)s at %(restaurant)s, if enough guests order") % names
    return _("%(dish)s at %(restaurant)s") % names


def _story(order: PreOrder, status: str) -> str:
    """The event's description; it does not say whose order it is."""
    code = _("Order code: %(code)s") % {"code": order.code}
    if order.service_mode:
        code = f"{order.serving.mode}\n{code}"
    if order.is_eaten_there and order.serving.time:
        code = _("Arrive %(time)s") % {"time": order.serving.time} + f"\n{code}"
    if status == CANCELLED:
        return _("This order has ended, so you don't need to come.")
    lines = [formats.portions(order.quantity), code, *map(str, order.serving.notes)]
    if order.status != PreOrderStatus.PENDING:
        lines.insert(0, _("It's on. Show your order code when you arrive."))
    else:
        lines.insert(0, _whether_on(order.offer))
    return "\n".join(lines)


def _whether_on(offer: SpecialOffer) -> str:
    """How certain it is before the decision."""
    facts = {
        "portions": formats.portions(offer.min_preorders),
        "deadline": formats.moment(offer.deadline, offer.restaurant.zone),
    }
    if not is_on(offer):
        return _("Not certain before %(deadline)s. We'll email you then, either way.") % facts
    if offer.goes_ahead or offer.min_preorders == 1:
        return _("It's on")  # whatever other guests do
    text = _(
        "It's on, unless cancellations bring it below %(portions)s by %(deadline)s. We'll email "
        "you then, either way."
    )
    return text % facts


def _organizer(restaurant: Restaurant) -> vCalAddress:
    organizer = vCalAddress(f"mailto:{restaurant.email}")
    organizer.params["CN"] = one_line(restaurant.name)
    return organizer


def _alarm(order: PreOrder, status: str) -> Alarm:
    """Also of an order that isn't sure yet, because a guest adds the file once, after ordering. By
    then it is decided, and an email has said how."""
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    text = _("Pick up %(dish)s")
    if order.is_eaten_there:
        text = _("%(dish)s at %(restaurant)s")
    if status == TENTATIVE or order.status == PreOrderStatus.PENDING:
        text = _("%(dish)s at %(restaurant)s, if our email says it's on")
    names = {"dish": order.served_name, "restaurant": order.offer.restaurant.name}
    alarm.add("description", one_line(text % names))
    alarm.add("trigger", BEFORE_START if order.serving.start else ON_THE_DAY)
    return alarm
