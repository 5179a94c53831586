"""Django's PostgreSQL, for connections that live on between requests."""

import select

from django.db.backends.postgresql.base import DatabaseWrapper as PostgresWrapper


class DatabaseWrapper(PostgresWrapper):
    def is_usable(self) -> bool:
        """Return whether the connection can be used, without asking the server where its silence says so.

        Django asks once a request, by a statement of its own. But a server that restarted or dropped us has written a
        farewell or closed the socket, and either can be read: to look costs a fiftieth of the question.
        """
        if self.connection is None or self.connection.closed:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0) or bool(super().is_usable())
