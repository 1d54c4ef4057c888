"""OpenAPI defaults for every operation: its name, its tag and the error format."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers


class FieldErrorSerializer(serializers.Serializer[Any]):
    field = serializers.CharField()
    message = serializers.CharField()


class ErrorSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]


class ContractSchema(AutoSchema):
    def get_operation_id(self) -> str:
        """The method and the view's name, such as `getOrder`, for readable generated clients."""
        name = type(self.view).__name__.removesuffix("View")
        return f"{self.method.lower()}{name}"

    def get_tags(self) -> list[str]:
        return [type(self.view).__module__.split(".")[1]]

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        responses = super()._get_response_bodies(direction)
        error = self._get_response_for_code(  # type: ignore[no-untyped-call]
            ErrorSerializer, "default"
        )
        error["description"] = "What went wrong, and what to do."
        responses["default"] = error
        return responses
