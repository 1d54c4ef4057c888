"""The checks that every process makes before it works, so that a wrong setting stops it, not only
the release. `manage.py` runs Django's checks by itself; gunicorn, the workers, and the scheduler
don't.
"""

import sys

from django.core.checks import ERROR, CheckMessage, Tags, run_checks
from django.db import OperationalError


def refuse_to_start_wrong() -> None:
    """Exit with the reasons if the settings or the database's role are unsafe.

    Warnings are left to `check --deploy`. A database that can't be reached yet is no reason to
    exit: the process would only be started again, and without a database it serves nothing.
    """
    found: list[CheckMessage] = run_checks(tags=[Tags.security], include_deployment_checks=True)
    try:
        found += run_checks(tags=[Tags.database], databases=["default"])
    except OperationalError as error:
        print(f"The database can't be checked yet: {error}", file=sys.stderr)
    errors = [each for each in found if each.is_serious(ERROR) and not each.is_silenced()]
    if errors:
        reasons = "\n".join(["This process refuses to start:", *map(str, errors)])
        # Celery's processes redirect sys.stderr to their log, which ends with them.
        print(reasons, file=sys.__stderr__, flush=True)
        raise SystemExit(1)
