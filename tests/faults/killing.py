"""The test's side of `tests.faults.worker`: real processes that die by SIGKILL."""

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import connection


@dataclass(frozen=True)
class Death:
    """The end of a worker: the moments it passed, of which the last one killed it, if it was
    killed."""

    killed: bool
    passed: list[str]

    @property
    def where(self) -> str:
        return self.passed[-1] if self.killed else ""


class MortalWorkers:
    """Each `run` is a process of its own, forked from one that has loaded the program."""

    def __init__(self, stripe_address: str) -> None:
        name = connection.settings_dict["NAME"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.worker", name, stripe_address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self,
        what: str,
        id_: Any,
        *,
        now: datetime,
        moment: int,
        guest: dict[str, str] | None = None,
        email_folder: Path | None = None,
    ) -> Death:
        """Do `what`, and die at the `moment`-th point before or after a call to Stripe."""
        job = {
            "what": what,
            "id": id_ if isinstance(id_, int) else str(id_),
            "now": now.isoformat(),
            "moment": moment,
            "guest": guest,
            "email_folder": str(email_folder) if email_folder else None,
        }
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        stdin.write(json.dumps(job) + "\n")
        stdin.flush()
        answer = json.loads(stdout.readline())
        assert answer["killed"] or answer["status"] == 0, "the worker failed; see its output"
        return Death(answer["killed"], answer["passed"])

    def stop(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()
