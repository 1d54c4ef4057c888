"""Checks of requests and responses against the types in the installed stripe library.

Those types are generated from Stripe's API description, so a parameter that Stripe doesn't know is
refused here, and an object that this server builds incorrectly is reported. Each type is compiled
to a function on first use; a check then takes about ten microseconds.
"""

from .hints import allows_null, blank
from .objects import check_object
from .params import decode_params, params_class
from .problems import Problem

__all__ = ["Problem", "blank", "check_object", "decode_params", "allows_null", "params_class"]
