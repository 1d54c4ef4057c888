"""Traces for an OpenTelemetry collector: a span for each request, task, and call to Stripe.

Nothing is traced, and the library isn't imported, until `start` is called. Spans are made here and
have a name and the attributes given here, all from the code: the instrumentations that libraries
bring record paths, queries, and messages.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Attributes = dict[str, str | int]
_tracer: "Tracer | None" = None
_provider: Any = None


def start(process: str, endpoint: str, share: float) -> None:
    """Send the spans of this share (0 to 1) of requests and tasks to `endpoint`, over OTLP/HTTP."""
    global _tracer, _provider
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    _provider = TracerProvider(
        resource=Resource({"service.name": f"fully-booked-{process}"}),
        sampler=ParentBased(TraceIdRatioBased(share)),
    )
    exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces", timeout=5)
    _provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = _provider.get_tracer("fully_booked")


def is_on() -> bool:
    return _tracer is not None


def stop() -> None:
    """Send what is left, and stop tracing."""
    global _tracer, _provider
    if _provider is not None:
        _provider.shutdown()
    _tracer = _provider = None


@contextmanager
def span(name: str, *, carrier: Mapping[str, str] | None = None) -> Iterator[Attributes]:
    """A span around the block. It yields a dict for the span's attributes.

    `carrier` is what `carried` gave elsewhere: the span continues that trace. An exception sets the
    status and its type, never its text.
    """
    attributes: Attributes = {}
    if _tracer is None:
        yield attributes
        return
    from opentelemetry.trace import Status, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    context = TraceContextTextMapPropagator().extract(dict(carrier)) if carrier else None
    with _tracer.start_as_current_span(
        name, context=context, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield attributes
        except Exception as error:
            current.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise
        finally:
            if "name" in attributes:
                current.update_name(str(attributes.pop("name")))
            current.set_attributes(attributes)


def carried() -> dict[str, str]:
    """The headers that let another process continue the trace under way; empty without one."""
    if _tracer is None:
        return {}
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier
