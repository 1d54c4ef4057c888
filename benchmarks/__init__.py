"""Measures what the design promises: `make bench` prints every figure beside its target."""
