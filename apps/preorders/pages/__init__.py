"""Views of guests and restaurant staff: each parses, calls one function and renders."""
