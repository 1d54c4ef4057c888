"""Runs several management commands in one process, because starting Django is slow.

`python -m devtools.prepare migrate load_demo` prints the commands' output only if one fails. Also
writes the demo restaurants' hosts to DATA_DIR/restaurants.txt, one per line.
"""

import io
import sys

import django
from django.conf import settings
from django.core.management import call_command

# The demo's own restaurants come first; users may have registered more.
DEMO_RESTAURANTS = 3


def main(commands: list[str]) -> None:
    django.setup()
    output = io.StringIO()
    try:
        for command in commands:
            call_command(command, verbosity=0, stdout=output, stderr=output)
    except BaseException:
        print(output.getvalue(), file=sys.stderr)
        raise
    if "load_demo" in commands:
        from apps.restaurants.models import Domain

        hosts = Domain.objects.filter(is_primary=True).order_by("pk")
        names = hosts.values_list("domain", flat=True)[:DEMO_RESTAURANTS]
        (settings.DATA_DIR / "restaurants.txt").write_text("\n".join(names))


if __name__ == "__main__":
    main(sys.argv[1:])
