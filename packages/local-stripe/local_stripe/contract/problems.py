"""Problems found in a value, and where they are."""

from dataclasses import dataclass, field
from typing import Any

WRONG_TYPE = "wrong_type"


@dataclass
class Problem:
    """A problem with one value. ``path`` leads to it from the outermost value."""

    code: str
    message: str
    value: Any = None
    path: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The parameter name as Stripe writes it, for example ``transfer_data[destination]``."""
        return self.path[0] + "".join(f"[{part}]" for part in self.path[1:]) if self.path else ""

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.message}"


def place_under(name: str, problems: list[Problem], since: int) -> None:
    for problem in problems[since:]:
        problem.path.insert(0, name)
