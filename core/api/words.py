"""Words that somebody looks for: what a search box takes, as PostgreSQL reads it."""

from functools import reduce
from operator import or_
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchQueryCombinable


def words_query(words: Any, *configs: str) -> SearchQueryCombinable:
    """Return the query for `words` (text or an expression): plain words, "a phrase", or, -not.

    `configs` are the text search configurations to read them by: what one of them finds is found.
    """
    return reduce(or_, (SearchQuery(words, config=config, search_type="websearch") for config in configs))
