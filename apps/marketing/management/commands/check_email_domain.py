"""Check whether a zone file has what emails from its domain need: SPF, DKIM, and DMARC.

    manage.py check_email_domain restaurants.example --zone zone.txt \\
        --include spf.service.example --selector s1 --selector s2

The exit code is 3 if something is wrong, and 0 if there is only advice.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.common import formats
from apps.common.commands import ExitCode, Found, OperatorCommand
from apps.marketing.email_domain import Level, check_zone


class Command(OperatorCommand):
    help = __doc__
    only_reads = True

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("domain")
        parser.add_argument("--zone", required=True, help="the exported zone file")
        parser.add_argument(
            "--include", action="append", default=[], help="an include that SPF needs"
        )
        parser.add_argument(
            "--selector", action="append", default=[], help="a DKIM selector to look for"
        )

    def run(
        self, *, domain: str, zone: str, include: list[str], selector: list[str], **_: Any
    ) -> None:
        try:
            text = Path(zone).read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{zone}: {error}", returncode=ExitCode.REFUSED) from error
        findings = check_zone(text, domain=domain, selectors=selector, includes=include)
        for each in findings:
            self.stdout.write(f"{each.level:7}{each.subject:6}{each.what}")
        wrong = sum(each.level == Level.WRONG for each in findings)
        if wrong:
            raise Found(f"{formats.count(wrong, 'thing')} to fix.")
