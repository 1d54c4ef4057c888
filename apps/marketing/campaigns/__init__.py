"""Email campaigns: composing one, inviting its segment, sending, and what came of it."""
