"""The API's JSON parser: accepts an object only, without NaN or NUL characters."""

import codecs
import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


def _no_nan(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


class StrictJSONParser(JSONParser):
    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        raw = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(raw) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise PayloadTooLarge
        try:
            data = json.loads(codecs.decode(raw, "utf-8"), parse_constant=_no_nan)
        except (ValueError, RecursionError):
            raise ParseError("The request body is not valid JSON.") from None
        if not isinstance(data, dict):
            raise ParseError("Send a JSON object.")
        if b"\\u0000" in raw or b"\x00" in raw:
            raise ParseError("The request contains a NUL character. Remove it and try again.")
        return data


class PayloadTooLarge(ParseError):
    status_code = 413
    default_detail = "That request is too large. Send less data at a time."
