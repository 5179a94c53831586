"""How the public reads describe themselves in OpenAPI 3.1."""

from typing import Any, Literal

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema

from core.api.representations import Many, One

Direction = Literal["request", "response"]

_shared: dict[str, dict[str, Any]] = {}


def shared(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Make a schema a component of the document, and return the reference to it.

    Raises ValueError where another schema has the name.
    """
    if _shared.setdefault(name, schema) != schema:
        raise ValueError(f"Two schemas are called {name}.")
    return {"$ref": f"#/components/schemas/{name}"}


def shared_schemas() -> dict[str, dict[str, Any]]:
    """Return what `shared` has been given, by name."""
    return dict(_shared)


def add_shared(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Add the shared schemas to the document (a hook of drf-spectacular)."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    if twice := schemas.keys() & _shared.keys():
        raise ValueError(f"Two schemas are called {min(twice)}.")
    result["components"]["schemas"] = dict(sorted((schemas | _shared).items()))
    return result


ONE_PROBLEM = shared(
    "Problem",
    {
        "type": "object",
        "required": ["field", "code", "message"],
        "properties": {
            "field": {"type": ["string", "null"], "description": "null: the whole request."},
            "code": {"type": "string"},
            "message": {"type": "string"},
        },
    },
)
PROBLEM = shared(
    "ProblemDetails",
    {
        "type": "object",
        "required": ["type", "title", "status", "errors"],
        "properties": {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "errors": {"type": "array", "items": ONE_PROBLEM},
        },
    },
)


class ApiSchema(AutoSchema):
    """Asks a public view for its own description; other views are described as drf-spectacular does."""

    def get_tags(self) -> list[str]:
        """Group by the first word after /api/v1/."""
        return [self.path.removeprefix("/api/v1/").split("/")[0]]

    def get_operation_id(self) -> str:
        """Name a read by what it reads: devices_list, devices_item."""
        if named := getattr(self.view, "operation_id", None):
            return str(named)
        if getattr(self.view, "representation", None) is None:
            return super().get_operation_id()
        return f"{self.get_tags()[0]}_{'list' if getattr(self.view, 'is_page', False) else 'item'}"

    def get_operation(self, path: str, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(path, *args, **kwargs)
        if operation is not None:
            problem = {"description": "Problem details", "content": {"application/problem+json": {"schema": PROBLEM}}}
            operation["responses"].setdefault("default", problem)
        return operation

    def get_override_parameters(self) -> list[Any]:
        describe = getattr(self.view, "describe_parameters", None)
        return describe() if describe else super().get_override_parameters()

    def get_response_serializers(self) -> Any:
        """Return what the view answers with: an item, or a page of items."""
        representation = getattr(self.view, "representation", None)
        if representation is None:
            return super().get_response_serializers()
        return representation(many=False)

    def _get_response_for_code(self, serializer: Any, status_code: str, *args: Any, **kwargs: Any) -> Any:
        response = super()._get_response_for_code(serializer, status_code, *args, **kwargs)  # type: ignore[no-untyped-call]
        if getattr(self.view, "is_page", False) and status_code == "200":
            for content in response["content"].values():
                content["schema"] = {
                    "type": "object",
                    "required": ["results", "next", "previous"],
                    "properties": {
                        "results": {"type": "array", "items": content["schema"]},
                        "next": {"type": ["string", "null"], "format": "uri"},
                        "previous": {"type": ["string", "null"], "format": "uri"},
                        "count": {"type": "integer", "description": "Only with count=true."},
                    },
                }
        return response


class ManyExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """`Many(Child)` is an array of Child, `One(Child)` a Child or null."""

    target_class = Many
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        component = auto_schema.resolve_serializer(self.target.child_class, direction)
        if isinstance(self.target, One):
            return {"oneOf": [component.ref, {"type": "null"}]}
        return {"type": "array", "items": component.ref}
