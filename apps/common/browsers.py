"""Display names of browsers, such as "Firefox on Windows", from their user agents."""

import ua_parser

# ua-parser's names where people use another one.
_SYSTEM_NAMES = {"Mac OS X": "Mac", "Chrome OS": "ChromeOS"}
_APPLE_DEVICES = ("iPhone", "iPad")
_VARIANTS = (" Mobile", " iOS", "Mobile ")
_MAX_NAME_CHARACTERS = 40
UNKNOWN_BROWSER = "Unknown browser"


def browser_name(user_agent: str) -> str:
    """A name that lets people tell their own devices apart."""
    found = ua_parser.parse(user_agent)
    browser = found.user_agent.family if found.user_agent else ""
    for variant in _VARIANTS:  # "Chrome Mobile iOS" and "Mobile Safari" are Chrome and Safari
        browser = browser.replace(variant, "")
    system = found.os.family if found.os else ""
    if found.device and found.device.family in _APPLE_DEVICES:
        system = found.device.family
    system = _SYSTEM_NAMES.get(system, system)
    if browser and system:
        return f"{browser} on {system}"
    return (
        browser or system or user_agent.partition("/")[0][:_MAX_NAME_CHARACTERS] or UNKNOWN_BROWSER
    )
