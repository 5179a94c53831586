"""The articles of the sample publication say which names of the simulator they explain."""

import re
from pathlib import Path

import pytest
import yaml

from simulator.explanations import explainable_names

ARTICLES = sorted((Path(__file__).parents[2] / "sample" / "articles").glob("*.md"))


def explains(file):
    """Return what the front matter of an article says it explains."""
    return yaml.safe_load(re.match(r"---\n(.*?)\n---\n", file.read_text(), re.S).group(1)).get("explains", [])


@pytest.mark.parametrize("file", ARTICLES, ids=lambda file: file.stem)
def test_a_sample_article_explains_names_that_exist(file):
    found = explains(file)

    assert found
    assert set(found) <= set(explainable_names())


def test_a_name_is_explained_by_one_article():
    found = [name for file in ARTICLES for name in explains(file)]

    assert sorted({name for name in found if found.count(name) > 1}) == []
