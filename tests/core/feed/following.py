"""A consumer of the change feed, as a partner would write one; and what tests need to wait for it."""

import time
from datetime import datetime
from typing import Any

from django.db import connection
from django.test import Client

CHANGES = "/api/v1/changes/"


def settle(timeout_s: float = 180) -> None:
    """Wait until the feed covers all that was committed before the call.

    The horizon is the whole cluster's: a transaction of another test, in another database, holds it up. One that has
    begun and not written yet may still do so.
    """
    deadline = time.monotonic() + timeout_s
    with connection.cursor() as cursor:
        cursor.execute("select pg_snapshot_xmax(pg_current_snapshot())::text, clock_timestamp()")
        wanted, now = cursor.fetchone()
        while time.monotonic() < deadline:
            cursor.execute(
                "select pg_snapshot_xmin(pg_current_snapshot()) >= %s::xid8 and not exists ("
                " select from pg_stat_activity where xact_start <= %s and backend_type = 'client backend')",
                [wanted, now],
            )
            if cursor.fetchone() == (True,):
                return
            time.sleep(0.01)
    raise TimeoutError(f"A transaction that began before {now} has been running for {timeout_s} s.")


class Follower:
    """Keeps a copy of what is public, by nothing but the feed and the addresses in it."""

    def __init__(self, client: Client, start: str = CHANGES) -> None:
        self.client = client
        self.next = start
        self.copy: dict[tuple[str, str], Any] = {}
        self.seen: list[dict[str, Any]] = []
        self.page: dict[str, Any] = {}

    def poll(self) -> list[dict[str, Any]]:
        """Follow `next` once, take over what changed, and return the changes."""
        changes = self.look()
        for change in changes:
            self.take_over(change)
        return changes

    def look(self) -> list[dict[str, Any]]:
        """Follow `next` once, and return the changes."""
        response = self.client.get(self.next)
        assert response.status_code == 200, response.content
        self.page = response.json()
        self.next = self.page["next"]
        self.seen += self.page["results"]
        return self.page["results"]

    def take_over(self, change: dict[str, Any]) -> None:
        """Read the record that changed anew. What is not there is gone."""
        key = (change["kind"], change["id"])
        found = self.client.get(change["url"]) if "url" in change else None
        if found is not None and found.status_code == 200:
            self.copy[key] = found.json()
        else:
            self.copy.pop(key, None)

    def catch_up(self) -> list[dict[str, Any]]:
        """Follow until nothing is left, and return the changes."""
        found = []
        while results := self.poll():
            found += results
        return found

    def of(self, kind: str) -> dict[str, Any]:
        """Return the records of a kind in the copy, by id."""
        return {pk: record for (of, pk), record in self.copy.items() if of == kind}


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
