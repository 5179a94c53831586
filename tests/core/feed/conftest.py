"""The feed's tests begin when it covers what came before them: the seeds that return after the flush of another test."""

import pytest

from tests.core.feed.following import settle


@pytest.fixture(autouse=True)
def settled(transactional_db):
    settle()
