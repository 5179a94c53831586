"""The description of the REST API: valid OpenAPI 3.1, complete, and true of what the API answers."""

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from tests import everything
from tests.addresses import public_reads

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def document():
    return yaml.safe_load((ROOT / "openapi.yaml").read_text())


def test_it_is_valid_openapi_3_1_without_the_manners_of_3_0(document):
    validate(document, cls=OpenAPIV31SpecValidator)

    assert document["openapi"].startswith("3.1")
    assert "nullable" not in json.dumps(document)


def test_it_names_every_public_read_with_its_parameters(document):
    for address in public_reads():
        path = address.route.replace("<str:key>", "{key}")
        described = {p["name"] for p in document["paths"][path]["get"].get("parameters", []) if p["in"] == "query"}
        assert described == address.view().known_parameters(), path


@pytest.mark.django_db
@pytest.mark.parametrize("rows", ["full", "bare"])
def test_what_it_says_of_an_answer_is_true(client, document, rows, subtests):
    getattr(everything, f"make_{rows}")()
    for address in public_reads():
        path = address.route.replace("<str:key>", "{key}")
        content = document["paths"][path]["get"]["responses"]["200"]["content"]
        schema = {**content["application/json"]["schema"], "components": document["components"]}
        validator = Draft202012Validator(schema)
        with subtests.test(path=path):
            if address.route == path:
                answers = [client.get(path).json()]
            else:
                listed = client.get(path.removesuffix("{key}/")).json()["results"]
                answers = [client.get(path.replace("{key}", row["id"])).json() for row in listed]
            assert answers
            for answer in answers:
                assert list(validator.iter_errors(answer)) == []
