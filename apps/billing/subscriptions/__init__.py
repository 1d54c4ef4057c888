"""Restaurants' subscriptions to the platform: optional, off unless BILLING_MODE sells them.

`terms` says what one costs and changes, `sign_up` takes the first month's payment, `registration`
gives who paid it a restaurant, `renewal` follows what Stripe says from then on, `portal` shows it
to the owner (decision 126).
"""
