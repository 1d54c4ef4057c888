"""How a checkout page looks."""

import re

from ..errors import invalid_request
from ..server import Call
from ..store import Json

# What a page shows where nothing else is set.
_PLAIN_BRANDING = {
    "background_color": "#ffffff",
    "border_style": "rounded",
    "button_color": "#0074d4",
    "font_family": "default",
    "icon": None,
    "logo": None,
}
_HEX_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


def branding(call: Call, params: Json) -> Json:
    """The page's look: what the session sets, then what the account has. Its name is the account's
    that the payment is on behalf of, else the platform's.
    https://docs.stripe.com/payments/checkout/customization/appearance
    https://docs.stripe.com/connect/destination-charges#settlement-merchant
    """
    given = params.get("branding_settings") or {}
    for name in ("background_color", "button_color"):
        if given.get(name) and not _HEX_COLOR.fullmatch(given[name]):
            raise invalid_request("Invalid color.", param=f"branding_settings[{name}]")
    for name in ("icon", "logo"):
        image = given.get(name)
        if image and not image.get(image["type"]):
            raise invalid_request(
                f"Missing required param: branding_settings[{name}][{image['type']}].",
                code="parameter_missing",
                param=f"branding_settings[{name}][{image['type']}]",
            )
    account = (params.get("payment_intent_data") or {}).get("on_behalf_of")
    profile = (call.get("account", account).get("business_profile") or {}) if account else {}
    name = profile.get("name") or "Checkout"
    return {**_PLAIN_BRANDING, "display_name": name, **{k: v for k, v in given.items() if v}}
