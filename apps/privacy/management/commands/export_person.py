"""Export everything stored about a person's email address, at every restaurant, as JSON.

Use it for people who ask the platform. First check that the request comes from that address.
`erase_person` erases the same data.
"""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from apps.common.commands import OperatorCommand
from apps.privacy.person_data import person_data


class Command(OperatorCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email")
        parser.add_argument("--output", type=Path, help="a new file; by default, standard output")

    def run(self, *, email: str, output: Path | None, dry_run: bool, **_: Any) -> None:
        if output is not None and output.exists():
            raise CommandError(f"{output} already exists. Name a new file.")
        data = person_data(email=email)
        if dry_run:
            for name, found in data.items():
                if isinstance(found, list):
                    self.stdout.write(f"{len(found):>8}  {name}")
            self.stdout.write(f"{'an' if data['account'] else 'no':>8}  account")
            return
        text = json.dumps(data, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False)
        if output is None:
            self.stdout.write(text)
        else:
            output.write_text(f"{text}\n")
            output.chmod(0o600)
            self.stdout.write(f"Written to {output}")
