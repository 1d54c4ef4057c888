"""Processes that are started together end together, whatever ends the first one."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools.paths import ROOT
from devtools.supervisor import ChildDied, Supervisor

SLEEPER = [sys.executable, "-c", "import time; print('here', flush=True); time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('here', flush=True); time.sleep(60)",
]
FAILING = [sys.executable, "-c", "import sys; print('no such table'); sys.exit(3)"]


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    former = [signal.getsignal(number) for number in numbers]
    supervisor = Supervisor(tmp_path)
    yield supervisor
    supervisor.stop()
    supervisor.close()
    for number, handler in zip(numbers, former, strict=True):
        signal.signal(number, handler)


def test_what_processes_say_appears_behind_their_names(
    supervisor: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    child = supervisor.start("web", list(SLEEPER), dict(os.environ))
    until(lambda: list(child.last_lines) == ["here"])
    assert "web       │ here" in capsys.readouterr().out


def test_a_death_is_reported_with_its_last_words(supervisor: Supervisor) -> None:
    child = supervisor.start("worker", list(FAILING), dict(os.environ))
    until(lambda: bool(child.last_lines))
    with pytest.raises(ChildDied, match=r"(?s)worker ended with code 3.*no such table"):
        supervisor.watch()


def test_a_death_by_signal_names_the_signal(supervisor: Supervisor) -> None:
    child = supervisor.start("beat", list(SLEEPER), dict(os.environ))
    assert child.process is not None
    os.kill(child.process.pid, signal.SIGKILL)
    with pytest.raises(ChildDied, match="beat ended by SIGKILL"):
        supervisor.watch()


def test_a_restarted_process_is_a_new_one(supervisor: Supervisor) -> None:
    child = supervisor.start("worker", list(SLEEPER), dict(os.environ))
    assert child.process is not None
    before = child.process.pid
    supervisor.restart(child)
    assert child.process.pid != before
    supervisor.raise_if_over()


def test_an_impatient_stop_ends_a_process_that_does_not_want_to(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    end, patience = supervisor._end, 60.0  # much longer than any machine needs
    monkeypatch.setattr(supervisor, "_end", lambda children, **_: end(children, patience))
    child = supervisor.start("web", list(STUBBORN), dict(os.environ))
    until(lambda: bool(child.last_lines))
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGINT)
    begun = time.monotonic()
    supervisor.stop()
    assert not child.runs
    assert time.monotonic() - begun < patience


def test_processes_end_when_their_supervisor_is_killed(tmp_path: Path) -> None:
    program = f"""
import os, time
from pathlib import Path
from devtools.supervisor import Supervisor
child = Supervisor(Path({str(tmp_path)!r})).start("web", {SLEEPER!r}, dict(os.environ))
# At once and on its own line, whatever the thread that shows the output is in the middle of.
os.write(1, f"\\n{{child.process.pid}}\\n".encode())
time.sleep(60)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        pid = next(int(line) for line in process.stdout if line.strip().isdigit())
        process.kill()

    def is_gone() -> bool:
        # A zombie counts as ended, whoever collects it.
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True

    until(is_gone)
