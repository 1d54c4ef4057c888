"""The owner's calendar: a month of specials, and the same as a feed for calendar programs."""
