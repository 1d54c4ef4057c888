"""Statements: what a day or a month came to, for owners, accountants, and the platform's staff."""
