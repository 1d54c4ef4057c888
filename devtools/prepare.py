"""Runs several management commands in one process, because starting Django is the slow part.

`python -m devtools.prepare migrate load_demo`: what the commands say is printed only if one fails.
The demo restaurants' hosts are noted down in DATA_DIR/restaurants.txt, one on each line.
"""

import io
import sys

import django
from django.conf import settings
from django.core.management import call_command

# The demo's own, which come first; people may have registered any number since.
SHOWN = 3


def main(commands: list[str]) -> None:
    django.setup()
    said = io.StringIO()
    try:
        for command in commands:
            call_command(command, verbosity=0, stdout=said, stderr=said)
    except BaseException:
        print(said.getvalue(), file=sys.stderr)
        raise
    if "load_demo" in commands:
        from apps.restaurants.models import Domain

        hosts = Domain.objects.filter(is_primary=True).order_by("pk")
        names = hosts.values_list("domain", flat=True)[:SHOWN]
        (settings.DATA_DIR / "restaurants.txt").write_text("\n".join(names))


if __name__ == "__main__":
    main(sys.argv[1:])
