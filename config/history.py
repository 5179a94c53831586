"""Who changed a record of the catalogue: the account of the request, in each event that pghistory writes meanwhile.

pghistory's own middleware puts its variables in front of each statement, and a prepared statement cannot hold two. So
the variables are set for the session once, with the first write of the request, and unset at its end.
"""

import json
import uuid
from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, HttpResponseBase

SET = "select set_config('pghistory.context_id', %s, false), set_config('pghistory.context_metadata', %s, false)"


def name_account(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method in ("GET", "HEAD", "OPTIONS") or not request.user.is_authenticated:
            return get_response(request)
        with connection.cursor() as cursor:
            metadata = {"user": request.user.pk, "url": request.path}
            cursor.execute(SET, [str(uuid.uuid4()), json.dumps(metadata)])
        try:
            return get_response(request)
        finally:
            _unset()

    return middleware


def _unset() -> None:
    if connection.connection is None or connection.connection.closed:
        return  # The variables ended with the connection.
    with connection.cursor() as cursor:
        cursor.execute(SET, ["", ""])
