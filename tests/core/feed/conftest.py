"""The tests of the feed begin when it covers what came before them: the seeds return after the flush of a test."""

import pytest

from tests.core.feed.following import settle


@pytest.fixture(autouse=True)
def settled(transactional_db):
    settle()
