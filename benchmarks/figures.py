"""Measured figures with their targets, and the table of them."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure. `reached` is None if it has no target."""

    what: str
    measured: str
    target: str = ""
    reached: bool | None = None

    @property
    def verdict(self) -> str:
        return "" if self.reached is None else "ok" if self.reached else "missed"


def at_least(what: str, value: float, target: float, unit: str = "") -> Figure:
    return Figure(what, shown(value, unit), f"≥ {shown(target, unit)}", value >= target)


def at_most(what: str, value: float, target: float, unit: str = "") -> Figure:
    return Figure(what, shown(value, unit), f"≤ {shown(target, unit)}", value <= target)


def holds(what: str, *, measured: str, target: str, reached: bool) -> Figure:
    """A figure that is a statement, such as "none lost"."""
    return Figure(what, measured, target, reached)


def processor_time(what: str, before: dict[str, float], after: dict[str, float]) -> Figure:
    """CPU time by process, which says more than wall time on a busy machine."""
    used = {name: after[name] - before[name] for name in after if name in before}
    parts = ", ".join(f"{name} {seconds:.1f}" for name, seconds in used.items() if seconds >= 0.05)
    return Figure(what, f"{sum(used.values()):.1f} s: {parts}")


def shown(value: float, unit: str = "") -> str:
    """The rounded value with its unit: 1234.5 → "1,234", 12.34 → "12.3", 0.678 → "0.68"."""
    digits = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}{unit}"


def table(figures: Iterable[Figure]) -> str:
    """A Markdown table, aligned for the terminal."""
    rows = [("what", "measured", "target", "")]
    rows += [(one.what, one.measured, one.target, one.verdict) for one in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    items = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
    items.insert(1, "|-" + "-|-".join("-" * width for width in widths) + "-|")
    return "\n".join(items)
