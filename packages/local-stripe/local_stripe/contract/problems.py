"""What is wrong with a value, and where in it."""

from dataclasses import dataclass, field
from typing import Any

WRONG_TYPE = "wrong_type"


@dataclass
class Problem:
    """What is wrong with one value. ``path`` leads from the outermost value to it."""

    code: str
    message: str
    value: Any = None
    path: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The parameter as Stripe writes it, for example ``transfer_data[destination]``."""
        return self.path[0] + "".join(f"[{part}]" for part in self.path[1:]) if self.path else ""

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.message}"


def place_under(name: str, problems: list[Problem], since: int) -> None:
    for problem in problems[since:]:
        problem.path.insert(0, name)
