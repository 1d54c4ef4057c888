"""The list and retrieve endpoints that most object types share."""

from collections.abc import Callable, Iterable

from ..server import Call
from ..store import Json
from ..wire import list_object, query_from


def listing(
    kind: str, url: str, links: Iterable[str] = (), fields: Iterable[str] = ()
) -> Callable[[Call, Json], Json]:
    """Return the handler of a list endpoint. ``links`` and ``fields`` filter by equality."""
    links, fields = tuple(links), tuple(fields)

    def answer(call: Call, params: Json) -> Json:
        page = call.find(kind, query_from(params, links, fields))
        return list_object(url, [row.obj for row in page.rows], page.has_more)

    return answer


def retrieval(kind: str) -> Callable[..., Json]:
    """Return the handler of ``GET /v1/{kind}s/{id}``."""

    def answer(call: Call, params: Json, id: str) -> Json:
        return call.get(kind, id)

    return answer
