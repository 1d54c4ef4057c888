"""A Stripe-compatible server for developers' machines and tests.

It speaks Stripe's HTTP API, shows the hosted pages, serves a browser script and sends signed
webhooks, so that the application runs the very code it runs against Stripe. Start it with
``python -m local_stripe --port 8001 --data .data/stripe``; steer it through
``/_control`` (see ``control.py``); drive it from tests with ``testing.LocalStripe``.

What it knows of Stripe's parameters and objects comes from the types that the installed stripe
library carries, so an unknown parameter or a missing field is reported rather than ignored.
"""
