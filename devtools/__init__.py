"""Development tools: install, run, test, and check. Not used in production."""
