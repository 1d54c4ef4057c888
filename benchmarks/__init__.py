"""Benchmarks: `make bench` prints every figure next to its target."""
