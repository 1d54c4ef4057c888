"""PostgreSQL and Valkey for people who have neither.

Both come as binaries inside ordinary Python packages of the development environment. Everything
here uses the standard library only, because it runs before (and outside) that environment.
"""
