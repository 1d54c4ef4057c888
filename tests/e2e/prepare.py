"""Fills the folders and the database of the program under the browser tests, in one process.

`python -m tests.e2e.prepare collectstatic connect_stripe load_demo`. The demo is complete except
for its photos: every dish has the same small one, because encoding the real ones takes longer than
the rest.
"""

import sys

import django
from django.core.management import call_command

OPTIONS = {"collectstatic": {"interactive": False}}


def main(commands: list[str]) -> None:
    django.setup()
    from demo import loading
    from tests.e2e.pictures import photo_of_a_dish

    picture = photo_of_a_dish()
    loading.read_image = lambda name: picture
    for command in commands:
        call_command(command, verbosity=0, **OPTIONS.get(command, {}))


if __name__ == "__main__":
    main(sys.argv[1:])
