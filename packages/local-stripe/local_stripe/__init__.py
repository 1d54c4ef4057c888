"""A stateful, Stripe-compatible server for development and tests.

It implements Stripe's HTTP API, the hosted pages, a browser script, and signed webhooks, so an
application runs the same code against it as against Stripe. Start it with
``python -m local_stripe --port 8001 --data .data/stripe``, control it through ``/_control`` (see
``control``), and use ``testing.LocalStripe`` in tests.

Parameters and objects are checked against the types in the installed stripe library, so an unknown
parameter or a missing field is reported rather than ignored.
"""
