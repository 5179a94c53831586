"""How tests ask the GraphQL API: over HTTP, as clients do."""

import json
from typing import Any

from django.test import Client


def post(client: Client, query: str, *, operation: str | None = None, **variables: Any) -> Any:
    """Return the parsed answer to a query."""
    body = {"query": query, "variables": variables, "operationName": operation}
    response = client.post("/graphql/", json.dumps(body), content_type="application/json")
    assert response["Content-Type"] == "application/json"
    return response.json()


def data_of(client: Client, query: str, **variables: Any) -> Any:
    """Return `data`; an error fails the test."""
    answer = post(client, query, **variables)
    assert "errors" not in answer, answer["errors"]
    return answer["data"]


def codes_of(client: Client, query: str, **variables: Any) -> list[str]:
    """Return the codes of the errors."""
    return [error["extensions"]["code"] for error in post(client, query, **variables)["errors"]]
