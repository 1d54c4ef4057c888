"""The API answers JSON whatever `Accept` says.

RFC 9110 allows it (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1): a client that asks for
something else still gets an answer with a code.
"""

from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation


class OneRenderer(DefaultContentNegotiation):
    """Takes the view's first renderer, and leaves `?format=` to the view."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type
