"""Work over a second connection, and when it waits for the first."""

from threading import Thread

import pytest
from django.db import connection


class Elsewhere(Thread):
    """Runs `verb` over a connection of its own, and keeps what it gave or raised."""

    def __init__(self, verb):
        super().__init__(daemon=True)
        self.verb, self.result, self.error, self.backend = verb, None, None, None

    def run(self):
        try:
            with connection.cursor() as cursor:
                cursor.execute("select pg_backend_pid()")
                (self.backend,) = cursor.fetchone()
            self.result = self.verb()
        except Exception as error:
            self.error = error
        finally:
            connection.close()

    def until_it_waits(self):
        """Return when the database says that it waits for a lock; fail when it ends before, or not within 30 s."""
        self.start()
        with connection.cursor() as cursor:
            for _ in range(3000):
                cursor.execute("select wait_event_type from pg_stat_activity where pid = %s", [self.backend])
                if cursor.fetchone() == ("Lock",):
                    return
                assert self.is_alive(), f"It waited for nobody: {self.error or self.result}"
                cursor.execute("select pg_sleep(0.01), pg_stat_clear_snapshot()")
        pytest.fail("It neither ended nor waited.")

    def given(self):
        self.join(30)
        assert not self.is_alive()
        return self.result
