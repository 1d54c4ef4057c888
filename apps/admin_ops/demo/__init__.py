"""The demo: three restaurants with menus, offers, orders and a history, made by the ordinary
services."""
