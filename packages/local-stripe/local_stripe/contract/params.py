"""Checks of requests, which convert form fields to the types a request declares."""

import functools
import re
import typing
from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal, get_args, get_origin

import typing_extensions
from stripe._request_options import RequestOptions

from .hints import UNIONS, hints, is_map, literals, resolve
from .problems import WRONG_TYPE, Problem, place_under

Decode = Callable[[Any, list[Problem]], Any]


@functools.cache
def params_class(name: str) -> type:
    """Return the library's class for a request, for example ``checkout.SessionCreateParams``."""
    *modules, cls = name.split(".")
    module = import_module(".".join(["stripe.params", *modules]))
    return typing.cast(type, getattr(module, cls))


def decode_params(cls: type, raw: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Convert form or query strings to the types the class declares."""
    problems: list[Problem] = []
    return _decoder(cls)(raw, problems), problems


# Options that the library accepts next to the parameters but never sends in the body.
_TRANSPORT = frozenset(RequestOptions.__annotations__)


@functools.cache
def _decoder(hint: Any) -> Decode:
    hint = resolve(hint)
    origin = get_origin(hint)
    if hint in _DECODERS:
        return _DECODERS[hint]
    if origin in UNIONS:
        return _union_decoder(get_args(hint))
    if origin is Literal:
        return _enum_decoder(get_args(hint))
    if origin is list:
        return _list_decoder(get_args(hint)[0])
    if typing_extensions.is_typeddict(hint):
        return _record_decoder(hint)
    if is_map(hint, origin):
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
    if isinstance(value, list):  # numeric keys, such as metadata[0]
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
                place_under(str(index), problems, since)
        return decoded

    return decode


def _record_decoder(cls: type) -> Decode:
    found: dict[str, Any] = {}
    decoders: dict[str, Decode] = {}  # each from its first use on: types can contain themselves
    required: frozenset[str] = frozenset()
    ready = False

    def prepare() -> None:
        nonlocal required, ready
        found.update({name: hint for name, hint in hints(cls).items() if name not in _TRANSPORT})
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
            decode_item = decoders.get(name)
            if decode_item is None:
                if name not in found:
                    problems.append(Problem("unknown", "unknown parameter", item, [name]))
                    continue
                decode_item = decoders[name] = _decoder(found[name])
            since = len(problems)
            decoded[name] = decode_item(item, problems)
            if len(problems) != since:
                place_under(name, problems, since)
        if not required <= value.keys():
            for name in sorted(required - value.keys()):
                problems.append(Problem("missing", "missing", None, [name]))
        return decoded

    return decode


def _union_decoder(options: tuple[Any, ...]) -> Decode:
    options = tuple(resolve(option) for option in options)
    allowed = literals(options)
    # An open enum ("one of these values, or any string") is treated as closed: a value that the
    # library doesn't know is far more often a typo than a new value.
    closed = bool(allowed - {""}) and str in options
    tried = [o for o in options if not (closed and o is str) and o is not type(None)]
    decoders: list[Decode] = []

    def decode(value: Any, problems: list[Problem]) -> Any:
        best: list[Problem] | None = None
        result: Any = value
        if not decoders:
            decoders.extend(map(_decoder, tried))
        for decode_as in decoders:
            found: list[Problem] = []
            decoded = decode_as(value, found)
            if not found:
                return decoded
            if best is None or len(found[0].path) >= len(best[0].path):
                best, result = found, decoded
        problems += best or []
        return result

    return decode
