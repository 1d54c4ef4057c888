#!/usr/bin/env python
"""Django's command line; production settings unless told otherwise.

`make run` and the other commands of the Makefile set the development settings themselves.
"""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
    execute_from_command_line(sys.argv)
