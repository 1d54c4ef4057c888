"""Checks requests and answers against the types the installed stripe library carries.

Those types are generated from Stripe's own description of its API, so a parameter that Stripe
would refuse is refused here, and an object this server builds wrongly is noticed. Each type is
turned into a function once, on first use; a check then costs some ten microseconds.
"""

import functools
import re
import sys
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, Union, get_args, get_origin

import stripe
import typing_extensions
from stripe import StripeObject
from stripe._object_classes import OBJECT_CLASSES, get_object_class
from stripe._request_options import RequestOptions
from stripe._stripe_object import UntypedStripeObject

WRONG_TYPE = "wrong_type"
_REQUIRED_MARKS = (typing_extensions.NotRequired, typing_extensions.Required)
_UNIONS = (Union, types.UnionType)


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


Check = Callable[[Any, list[Problem]], None]
Decode = Callable[[Any, list[Problem]], Any]


def _under(name: str, problems: list[Problem], since: int) -> None:
    for problem in problems[since:]:
        problem.path.insert(0, name)


# --- names and hints ------------------------------------------------------------------------


@functools.cache
def _namespace() -> dict[str, Any]:
    """Every name that the library's annotations use, also those imported for checkers only."""
    names: dict[str, Any] = {**vars(typing), **vars(typing_extensions)}
    names.update({k: v for k, v in vars(stripe).items() if isinstance(v, type)})
    for module, name in OBJECT_CLASSES.values():
        cls = getattr(import_module(module), name)
        names.setdefault(name, cls)
        names.setdefault(name + "Resource", cls)
    names["UntypedStripeObject"] = UntypedStripeObject
    names["IssuingDisputeResource"] = stripe.issuing.Dispute
    names["FinancialConnectionsAccountResource"] = stripe.financial_connections.Account
    names["StripeContext"] = stripe.StripeContext
    return names


@functools.cache
def hints(cls: type) -> dict[str, Any]:
    """The fields of a generated class with their types, names resolved."""
    names = dict(_namespace())
    for base in cls.__mro__:
        names.update(vars(sys.modules[base.__module__]))
    names.update({k: v for k, v in vars(cls).items() if isinstance(v, type)})
    found = typing.get_type_hints(cls, globalns=names, localns=names, include_extras=True)
    return {
        name: hint
        for name, hint in found.items()
        if not name.startswith("_")
        and name != "OBJECT_NAME"
        and get_origin(hint) is not typing.ClassVar
    }


@functools.cache
def _class_for(kind: str) -> type[StripeObject] | None:
    cls = get_object_class("V1", kind)
    return None if cls is StripeObject else cls


@functools.cache
def _nullable_fields(kind: str) -> tuple[str, ...]:
    cls = _class_for(kind)
    assert cls is not None, kind
    return tuple(n for n, hint in hints(cls).items() if _nullable(hint) and n != "deleted")


def blank(kind: str) -> dict[str, Any]:
    """An object of the kind with every field that may be null set to null."""
    return dict.fromkeys(_nullable_fields(kind))


def _nullable(hint: Any) -> bool:
    return get_origin(hint) in _UNIONS and type(None) in get_args(hint)


def _resolve(hint: Any) -> Any:
    """Strips NotRequired and turns a quoted type into the type."""
    while True:
        if isinstance(hint, str | typing.ForwardRef):
            text = hint if isinstance(hint, str) else hint.__forward_arg__
            hint = eval(text, dict(_namespace()))
        elif get_origin(hint) in _REQUIRED_MARKS:
            hint = get_args(hint)[0]
        else:
            return hint


def _is_map(hint: Any, origin: Any) -> bool:
    return (
        hint is UntypedStripeObject
        or origin is UntypedStripeObject
        or hint is dict
        or (isinstance(origin, type) and issubclass(origin, typing.Mapping))
    )


def _literals(options: tuple[Any, ...]) -> frozenset[Any]:
    return frozenset(v for o in options if get_origin(o) is Literal for v in get_args(o))


# --- answers ---------------------------------------------------------------------------------


def check_object(obj: dict[str, Any]) -> list[Problem]:
    """Compares an object, or a list of objects, with the class the library has for it."""
    problems: list[Problem] = []
    kind = obj.get("object", "")
    if kind == "list":
        for index, item in enumerate(obj["data"]):
            since = len(problems)
            problems += check_object(item)
            _under(str(index), problems, since)
        return problems
    cls = _class_for(kind)
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
    hint = _resolve(hint)
    origin = get_origin(hint)
    if hint in _SCALARS:
        return _SCALARS[hint]
    if origin in _UNIONS:
        return _union_checker(get_args(hint))
    if origin is Literal:
        return _enum_checker(frozenset(get_args(hint)))
    if origin is list:
        return _list_checker(get_args(hint)[0])
    if _is_map(hint, origin):
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
                _under(str(index), problems, since)

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
        _under("data", problems, since)

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
            if name != "deleted" and not _nullable(hint)
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
                _under(name, problems, since)
        if not required <= value.keys():
            for name in sorted(required - value.keys()):
                problems.append(Problem("missing", "missing", None, [name]))

    return check


def _union_checker(options: tuple[Any, ...]) -> Check:
    options = tuple(_resolve(option) for option in options)
    nullable = type(None) in options
    allowed = _literals(options)
    text = str in options
    records: dict[str, Any] = {
        getattr(o, "OBJECT_NAME"): o  # noqa: B009 - declared on generated classes only
        for o in options
        if isinstance(o, type) and issubclass(o, StripeObject) and hasattr(o, "OBJECT_NAME")
    }
    rest = [o for o in options if o is not type(None) and get_origin(o) is not Literal]

    def check(value: Any, problems: list[Problem]) -> None:
        if value is None and nullable:
            return
        if type(value) is str and (text or allowed):
            # Stripe declares an open set of values as "one of these, or any text". This server
            # writes only values that are known today.
            if allowed and value not in allowed:
                problems.append(Problem("enum", f"{value!r} is not one of its values", value))
            return
        if type(value) is dict and value.get("object") in records:
            _checker(records[value["object"]])(value, problems)
            return
        best: list[Problem] | None = None
        for option in rest:
            found: list[Problem] = []
            _checker(option)(value, found)
            if not found:
                return
            if best is None or len(found[0].path) > len(best[0].path):
                best = found
        problems += best or [Problem(WRONG_TYPE, f"unexpected {value!r}", value)]

    return check


# --- requests --------------------------------------------------------------------------------


def params_class(name: str) -> type:
    """The library's class for a request, for example ``checkout.SessionCreateParams``."""
    *modules, cls = name.split(".")
    module = import_module(".".join(["stripe.params", *modules]))
    return typing.cast(type, getattr(module, cls))


def decode_params(cls: type, raw: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Turns text from a form or query into the types the class declares."""
    problems: list[Problem] = []
    return _decoder(cls)(raw, problems), problems


# What the library lets callers pass beside the parameters; these never travel in the body.
_TRANSPORT = frozenset(RequestOptions.__annotations__)


@functools.cache
def _decoder(hint: Any) -> Decode:
    hint = _resolve(hint)
    origin = get_origin(hint)
    if hint in _DECODERS:
        return _DECODERS[hint]
    if origin in _UNIONS:
        return _union_decoder(get_args(hint))
    if origin is Literal:
        return _enum_decoder(get_args(hint))
    if origin is list:
        return _list_decoder(get_args(hint)[0])
    if typing_extensions.is_typeddict(hint):
        return _record_decoder(hint)
    if _is_map(hint, origin):
        return _decode_map
    return _decode_anything


def _decode_anything(value: Any, problems: list[Problem]) -> Any:
    return value


def _decode_text(value: Any, problems: list[Problem]) -> Any:
    if not isinstance(value, str):
        problems.append(Problem(WRONG_TYPE, "Invalid string", value))
    elif value == "":
        problems.append(Problem("empty", "empty string", value))
    return value


def _decode_integer(value: Any, problems: list[Problem]) -> Any:
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,18}", value):
        return int(value)
    problems.append(Problem("integer", f"Invalid integer: {value}", value))
    return value


def _decode_number(value: Any, problems: list[Problem]) -> Any:
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value):
        return float(value)
    problems.append(Problem(WRONG_TYPE, f"Invalid decimal: {value}", value))
    return value


def _decode_boolean(value: Any, problems: list[Problem]) -> Any:
    if value in ("true", "false"):
        return value == "true"
    problems.append(Problem(WRONG_TYPE, f"Invalid boolean: {value}", value))
    return value


def _decode_map(value: Any, problems: list[Problem]) -> Any:
    if isinstance(value, list):  # keys that are numbers, such as metadata[0]
        return {str(index): item for index, item in enumerate(value)}
    if not isinstance(value, dict):
        problems.append(Problem(WRONG_TYPE, "Invalid object", value))
    return value


_DECODERS: dict[Any, Decode] = {
    Any: _decode_anything,
    str: _decode_text,
    int: _decode_integer,
    float: _decode_number,
    bool: _decode_boolean,
}


def _enum_decoder(allowed: tuple[Any, ...]) -> Decode:
    def decode(value: Any, problems: list[Problem]) -> Any:
        if value not in allowed:
            choices = ", ".join(str(choice) for choice in allowed)
            problems.append(Problem("enum", f"must be one of {choices}", value))
        return value

    return decode


def _list_decoder(item_hint: Any) -> Decode:
    def decode(value: Any, problems: list[Problem]) -> Any:
        if not isinstance(value, list):
            problems.append(Problem(WRONG_TYPE, "Invalid array", value))
            return value
        decode_item = _decoder(item_hint)
        decoded = []
        for index, item in enumerate(value):
            since = len(problems)
            decoded.append(decode_item(item, problems))
            if len(problems) != since:
                _under(str(index), problems, since)
        return decoded

    return decode


def _record_decoder(cls: type) -> Decode:
    decoders: dict[str, Any] = {}
    required: frozenset[str] = frozenset()
    ready = False

    def prepare() -> None:
        nonlocal required, ready
        found = {name: hint for name, hint in hints(cls).items() if name not in _TRANSPORT}
        decoders.update(found)
        required = frozenset(
            name
            for name, hint in found.items()
            if get_origin(hint) is not typing_extensions.NotRequired
            and name not in getattr(cls, "__optional_keys__", ())
        )
        ready = True

    def decode(value: Any, problems: list[Problem]) -> Any:
        if not ready:
            prepare()
        if not isinstance(value, dict):
            problems.append(Problem(WRONG_TYPE, "Invalid object", value))
            return value
        decoded = {}
        for name, item in value.items():
            hint = decoders.get(name)
            if hint is None:
                problems.append(Problem("unknown", "unknown parameter", item, [name]))
                continue
            since = len(problems)
            decoded[name] = _decoder(hint)(item, problems)
            if len(problems) != since:
                _under(name, problems, since)
        if not required <= value.keys():
            for name in sorted(required - value.keys()):
                problems.append(Problem("missing", "missing", None, [name]))
        return decoded

    return decode


def _union_decoder(options: tuple[Any, ...]) -> Decode:
    options = tuple(_resolve(option) for option in options)
    allowed = _literals(options)
    # An open set of values ("one of these, or any text") is treated as closed: a value that
    # the library does not know is far more often a slip of the pen than a novelty.
    closed = bool(allowed - {""}) and str in options
    tried = [o for o in options if not (closed and o is str) and o is not type(None)]

    def decode(value: Any, problems: list[Problem]) -> Any:
        best: list[Problem] | None = None
        result: Any = value
        for option in tried:
            found: list[Problem] = []
            decoded = _decoder(option)(value, found)
            if not found:
                return decoded
            if best is None or len(found[0].path) >= len(best[0].path):
                best, result = found, decoded
        problems += best or []
        return result

    return decode
