"""What the create and edit forms send, at the `clock` fixture's noon of Monday, March 22nd."""

from typing import Any

# The form's defaults: a deadline in 24 hours, served tomorrow.
CREATE: dict[str, Any] = {
    "name": "Osso buco",
    "description": "Slow-braised for nine hours.",
    "price": "30.00",
    "isSpecialOffer": True,
    "specialOfferPrice": "24.00",
    "specialServeDate": "2027-03-23",
    "minPreordersRequired": 3,
    "preorderExpiresAt": "2027-03-23T16:00:00Z",
}


def create_body(**changes: Any) -> dict[str, Any]:
    """A valid creation with some fields changed; `...` leaves a field out."""
    return {name: value for name, value in (CREATE | changes).items() if value is not ...}


def edit_body(offer: Any, **changes: Any) -> dict[str, Any]:
    """What the edit form sends when nothing was changed in it, with `changes`."""
    body = {
        "name": offer.name,
        "description": offer.description,
        "price": str(offer.regular_price),
        "specialOfferPrice": str(offer.special_price),
        "specialServeDate": offer.serve_date.isoformat(),
        "minPreordersRequired": offer.min_preorders,
        "preorderExpiresAt": offer.deadline.isoformat(),
        "imageUrl": None,
        "isSpecialOffer": True,
        "hasAlternative": False,
        "alternativeDishId": None,
    }
    return {name: value for name, value in (body | changes).items() if value is not ...}
