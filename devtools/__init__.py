"""What a developer's machine needs and production never has."""
