"""Request and response formats: nested form fields, lists, and expansion."""

import re
from collections.abc import Callable, Iterable
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import parse_qsl

from .contract import Problem
from .errors import StripeError, invalid_request
from .store import Json, Query

_KEY_PARTS = re.compile(r"\[([^\]]*)\]")
_MAX_DEPTH = 12


def parse_form(text: str) -> Json:
    """``a[b]=1&c[]=2&c[]=3`` → ``{"a": {"b": "1"}, "c": ["2", "3"]}``."""
    return nest(parse_qsl(text, keep_blank_values=True))


def parse_multipart(body: bytes, content_type: str) -> Json:
    """Read ``multipart/form-data``: a file becomes ``{"filename", "content"}``."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    if not message.is_multipart():
        raise invalid_request("The multipart request is malformed.")
    fields: Json = {}
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        content: Any = part.get_payload(decode=True) or b""
        filename = part.get_filename()
        fields[str(name)] = (
            {"filename": filename, "content": content} if filename else content.decode()
        )
    return fields


def nest(pairs: Iterable[tuple[str, str]]) -> Json:
    root: Json = {}
    for key, value in pairs:
        if "[" not in key:
            root[key] = value
            continue
        parts = [key.split("[", 1)[0], *_KEY_PARTS.findall(key)]
        if len(parts) > _MAX_DEPTH:
            raise invalid_request(f"Invalid parameter name: {key[:100]}")
        current = root
        for part in parts[:-1]:
            nested = current.setdefault(part or str(len(current)), {})
            if not isinstance(nested, dict):
                raise invalid_request(f"Invalid object: {key[:100]}", param=parts[0])
            current = nested
        current[parts[-1] or str(len(current))] = value
    return {name: _lists(value) for name, value in root.items()}


def _lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(key.isdigit() for key in value):
        return [_lists(value[key]) for key in sorted(value, key=int)]
    return {key: _lists(item) for key, item in value.items()}


def refuse_params(problems: list[Problem]) -> StripeError:
    """Return Stripe's error for the first problem with a request."""
    problem = min(
        problems,
        key=lambda p: (
            ("unknown", "missing").index(p.code) if p.code in ("unknown", "missing") else 2
        ),
    )
    name = problem.name
    if problem.code == "unknown":
        return invalid_request(
            f"Received unknown parameter: {name}", code="parameter_unknown", param=name
        )
    if problem.code == "missing":
        return invalid_request(
            f"Missing required param: {name}.", code="parameter_missing", param=name
        )
    if problem.code == "integer":
        return invalid_request(problem.message, code="parameter_invalid_integer", param=name)
    if problem.code == "empty":
        return invalid_request(
            f"You passed an empty string for '{name}'. We assume empty values are an attempt to "
            f"unset a parameter; however '{name}' cannot be unset. You should remove '{name}' "
            "from your request or supply a non-empty value.",
            code="parameter_invalid_empty",
            param=name,
        )
    if problem.code == "enum":
        return invalid_request(f"Invalid {name}: {problem.message}", param=name)
    return invalid_request(f"{problem.message} ({name})", param=name)


def list_object(url: str, data: list[Json], has_more: bool = False) -> Json:
    return {"object": "list", "url": url, "has_more": has_more, "data": data}


def query_from(params: Json, links: Iterable[str] = (), fields: Iterable[str] = ()) -> Query:
    """Read the pagination and filter parameters that list endpoints share."""
    limit = params.get("limit", 10)
    if not 1 <= limit <= 100:
        raise invalid_request(
            "This value must be between 1 and 100.", param="limit", code="parameter_invalid_integer"
        )
    created = params.get("created")
    if created is not None and not isinstance(created, dict):
        created = {"eq": created}
    return Query(
        links={name: params[name] for name in links if params.get(name)},
        fields={name: params[name] for name in fields if params.get(name) is not None},
        created={name: int(moment) for name, moment in (created or {}).items()},
        limit=limit,
        starting_after=params.get("starting_after"),
        ending_before=params.get("ending_before"),
    )


def merge_metadata(current: dict[str, str] | None, change: Any) -> dict[str, str]:
    """Merge as Stripe does: keys are set, "" removes a key, and "" for the whole hash clears it."""
    if change == "":
        return {}
    merged = {**(current or {}), **(change or {})}
    return {key: value for key, value in merged.items() if value != ""}


class NotExpandable(Exception):
    """The field has no expanded form."""


def expand(obj: Json, paths: list[str], look_up: Callable[[Json, str], Any]) -> Json:
    """Replace IDs with the objects they refer to, along dotted paths.

    ``look_up(owner, field)`` returns a field's expanded value or raises NotExpandable. Expanded
    objects are copied, so stored objects stay unchanged.
    """
    for path in paths:
        try:
            obj = _expand_path(obj, path.split("."), look_up)
        except NotExpandable as missing:
            raise invalid_request(
                f"This property cannot be expanded ({missing}). You may want to try expanding a "
                f"different property. The path was {path}.",
                param="expand",
            ) from None
    return obj


def _expand_path(obj: Any, parts: list[str], look_up: Callable[[Json, str], Any]) -> Any:
    if isinstance(obj, list):
        return [_expand_path(item, parts, look_up) for item in obj]
    if not parts or obj is None:
        return obj
    if not isinstance(obj, dict):
        raise NotExpandable(parts[0])
    name, rest = parts[0], parts[1:]
    value = obj.get(name)
    is_there = isinstance(value, dict) or (name == "data" and obj.get("object") == "list")
    if not is_there:
        value = look_up(obj, name)
    return {**obj, name: _expand_path(value, rest, look_up)}
