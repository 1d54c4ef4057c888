"""Embedded PostgreSQL and Valkey for development.

Both are binaries in Python packages of the development environment. This package uses only the
standard library, because it runs before (and outside) that environment.
"""
