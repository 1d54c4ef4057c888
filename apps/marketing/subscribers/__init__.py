"""Who follows a restaurant: asking for it, confirming, and the restaurant's own list."""
