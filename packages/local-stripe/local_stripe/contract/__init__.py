"""Checks requests and answers against the types the installed stripe library carries.

Those types are generated from Stripe's own description of its API, so a parameter that Stripe
would refuse is refused here, and an object this server builds wrongly is noticed. Each type is
turned into a function once, on first use; a check then costs some ten microseconds.
"""

from .hints import blank, may_be_null
from .objects import check_object
from .params import decode_params, params_class
from .problems import Problem

__all__ = ["Problem", "blank", "check_object", "decode_params", "may_be_null", "params_class"]
