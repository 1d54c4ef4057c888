"""Type hints of the installed stripe library, with forward references resolved."""

import functools
import sys
import types
import typing
from importlib import import_module
from typing import Any, Literal, Union, get_args, get_origin

import stripe
import typing_extensions
from stripe import StripeObject
from stripe._object_classes import OBJECT_CLASSES, get_object_class
from stripe._stripe_object import UntypedStripeObject

_REQUIRED_MARKS = (typing_extensions.NotRequired, typing_extensions.Required)
UNIONS = (Union, types.UnionType)


@functools.cache
def _namespace() -> dict[str, Any]:
    """Return every name the library's annotations use, including those imported only for type
    checkers."""
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
def hints(cls: Any) -> dict[str, Any]:
    """Return the fields of a generated class with their resolved types."""
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
def class_for(kind: str) -> Any:
    cls = get_object_class("V1", kind)
    return None if cls is StripeObject else cls


@functools.cache
def _nullable_fields(kind: str) -> tuple[str, ...]:
    cls = class_for(kind)
    assert cls is not None, kind
    return tuple(n for n, hint in hints(cls).items() if is_nullable(hint) and n != "deleted")


def allows_null(kind: str, name: str) -> bool:
    """Whether objects of this type have such a field and it can be null."""
    return class_for(kind) is not None and name in _nullable_fields(kind)


def blank(kind: str) -> dict[str, Any]:
    """Return an object of this type with every nullable field set to null."""
    return dict.fromkeys(_nullable_fields(kind))


def is_nullable(hint: Any) -> bool:
    return get_origin(hint) in UNIONS and type(None) in get_args(hint)


def resolve(hint: Any) -> Any:
    """Strip NotRequired and resolve a forward reference."""
    while True:
        if isinstance(hint, str | typing.ForwardRef):
            text = hint if isinstance(hint, str) else hint.__forward_arg__
            hint = eval(text, dict(_namespace()))
        elif get_origin(hint) in _REQUIRED_MARKS:
            hint = get_args(hint)[0]
        else:
            return hint


def is_map(hint: Any, origin: Any) -> bool:
    return (
        hint is UntypedStripeObject
        or origin is UntypedStripeObject
        or hint is dict
        or (isinstance(origin, type) and issubclass(origin, typing.Mapping))
    )


def literals(options: tuple[Any, ...]) -> frozenset[Any]:
    return frozenset(v for o in options if get_origin(o) is Literal for v in get_args(o))
