"""Checks of the objects this server returns."""

import functools
from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin

from stripe import StripeObject

from .hints import UNIONS, class_for, hints, is_map, is_nullable, literals, resolve
from .problems import WRONG_TYPE, Problem, place_under

Check = Callable[[Any, list[Problem]], None]


def check_object(obj: dict[str, Any]) -> list[Problem]:
    """Compare an object, or a list of objects, with the library's class for it."""
    problems: list[Problem] = []
    kind = obj.get("object", "")
    if kind == "list":
        for index, item in enumerate(obj["data"]):
            since = len(problems)
            problems += check_object(item)
            place_under(str(index), problems, since)
        return problems
    cls = class_for(kind)
    if cls is None:
        return [Problem("unknown_object", f"unknown object {kind!r}")]
    if obj.get("deleted"):
        return problems
    _checker(cls)(obj, problems)
    return problems


def _scalar(expected: type, article: str) -> Check:
    def check(value: Any, problems: list[Problem]) -> None:
        if type(value) is not expected:
            problems.append(Problem(WRONG_TYPE, f"not {article}: {value!r}", value))

    return check


def _anything(value: Any, problems: list[Problem]) -> None:
    return None


def _number(value: Any, problems: list[Problem]) -> None:
    if type(value) not in (int, float):
        problems.append(Problem(WRONG_TYPE, f"not a number: {value!r}", value))


def _map(value: Any, problems: list[Problem]) -> None:
    if type(value) is not dict:
        problems.append(Problem(WRONG_TYPE, "not a map", value))


_SCALARS: dict[Any, Check] = {
    Any: _anything,
    str: _scalar(str, "a string"),
    int: _scalar(int, "an integer"),
    bool: _scalar(bool, "a boolean"),
    float: _number,
    type(None): _scalar(type(None), "null"),
}


@functools.cache
def _checker(hint: Any) -> Check:
    hint = resolve(hint)
    origin = get_origin(hint)
    if hint in _SCALARS:
        return _SCALARS[hint]
    if origin in UNIONS:
        return _union_checker(get_args(hint))
    if origin is Literal:
        return _enum_checker(frozenset(get_args(hint)))
    if origin is list:
        return _list_checker(get_args(hint)[0])
    if is_map(hint, origin):
        return _map
    if isinstance(origin, type) and issubclass(origin, StripeObject):
        return _page_checker(get_args(hint)[0])
    if isinstance(hint, type) and issubclass(hint, StripeObject):
        return _record_checker(hint)
    return _anything


def _enum_checker(allowed: frozenset[Any]) -> Check:
    def check(value: Any, problems: list[Problem]) -> None:
        if value not in allowed:
            problems.append(Problem("enum", f"{value!r} is not one of its values", value))

    return check


def _list_checker(item_hint: Any) -> Check:
    item_check: Check | None = None

    def check(value: Any, problems: list[Problem]) -> None:
        nonlocal item_check
        if type(value) is not list:
            problems.append(Problem(WRONG_TYPE, "not a list", value))
            return
        if item_check is None:
            item_check = _checker(item_hint)
        for index, item in enumerate(value):
            since = len(problems)
            item_check(item, problems)
            if len(problems) != since:
                place_under(str(index), problems, since)

    return check


def _page_checker(item_hint: Any) -> Check:
    """A list object: ``{"object": "list", "data": […], "has_more", "url"}``."""
    items = _list_checker(item_hint)

    def check(value: Any, problems: list[Problem]) -> None:
        if type(value) is not dict or not value.keys() >= {"object", "data", "has_more", "url"}:
            problems.append(Problem(WRONG_TYPE, "not a list object", value))
            return
        since = len(problems)
        items(value["data"], problems)
        place_under("data", problems, since)

    return check


def _record_checker(cls: type) -> Check:
    checks: dict[str, Check] = {}
    required: frozenset[str] = frozenset()
    opaque = False

    def prepare() -> None:
        nonlocal required, opaque
        found = hints(cls)
        opaque = not found and getattr(cls, "OBJECT_NAME", None) is None
        wire = {python: name for name, python in getattr(cls, "_field_remappings", {}).items()}
        checks.update({wire.get(name, name): _checker(hint) for name, hint in found.items()})
        required = frozenset(
            wire.get(name, name)
            for name, hint in found.items()
            if name != "deleted" and not is_nullable(hint)
        )

    ready = False

    def check(value: Any, problems: list[Problem]) -> None:
        nonlocal ready
        if not ready:
            prepare()
            ready = True
        if type(value) is not dict:
            problems.append(Problem(WRONG_TYPE, f"not an object: {value!r}", value))
            return
        if opaque:
            return
        for name, item in value.items():
            field_check = checks.get(name)
            if field_check is None:
                problems.append(Problem("unknown", "unknown field", item, [name]))
                continue
            since = len(problems)
            field_check(item, problems)
            if len(problems) != since:
                place_under(name, problems, since)
        if not required <= value.keys():
            for name in sorted(required - value.keys()):
                problems.append(Problem("missing", "missing", None, [name]))

    return check


def _union_checker(options: tuple[Any, ...]) -> Check:
    options = tuple(resolve(option) for option in options)
    nullable = type(None) in options
    allowed = literals(options)
    text = str in options
    records: dict[str, Any] = {
        getattr(o, "OBJECT_NAME"): o  # noqa: B009 - declared on generated classes only
        for o in options
        if isinstance(o, type) and issubclass(o, StripeObject) and hasattr(o, "OBJECT_NAME")
    }
    rest = [o for o in options if o is not type(None) and get_origin(o) is not Literal]
    checks: list[Check] = []  # from the first use on: types can contain themselves
    record_checks: dict[str, Check] = {}

    def check(value: Any, problems: list[Problem]) -> None:
        if value is None and nullable:
            return
        if type(value) is str and (text or allowed):
            # Stripe declares an open enum as "one of these values, or any string". This server
            # returns only values that the library knows.
            if allowed and value not in allowed:
                problems.append(Problem("enum", f"{value!r} is not one of its values", value))
            return
        if type(value) is dict and value.get("object") in records:
            kind = value["object"]
            if kind not in record_checks:
                record_checks[kind] = _checker(records[kind])
            record_checks[kind](value, problems)
            return
        best: list[Problem] | None = None
        if not checks:
            checks.extend(map(_checker, rest))
        for check_as in checks:
            found: list[Problem] = []
            check_as(value, found)
            if not found:
                return
            if best is None or len(found[0].path) > len(best[0].path):
                best = found
        problems += best or [Problem(WRONG_TYPE, f"unexpected {value!r}", value)]

    return check
