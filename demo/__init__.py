"""Demo data: three restaurants with menus, offers, orders, and a history.

The product's own services create everything. The development settings install this app when DEMO is
on, as it is under `make run`; production never has it.
"""
