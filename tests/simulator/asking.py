"""Inputs of the simulator as GraphQL takes them."""

import json
import re
from typing import Any


def camel(data: Any) -> Any:
    """Return data with its names in camelCase."""
    if isinstance(data, dict):
        return {re.sub(r"_([a-z0-9])", lambda m: m.group(1).upper(), key): camel(value) for key, value in data.items()}
    return [camel(each) for each in data] if isinstance(data, list) else data


def literal(data: Any) -> str:
    """Return data in camelCase as it is written in a query."""
    if isinstance(data, dict):
        return "{" + ", ".join(f"{name}: {literal(value)}" for name, value in camel(data).items()) + "}"
    if isinstance(data, list):
        return "[" + ", ".join(map(literal, data)) + "]"
    return json.dumps(data)
