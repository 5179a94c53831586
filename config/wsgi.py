"""The door of servers: `granian --interface wsgi config.wsgi:application`."""

import logging
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from django.db import Error, connection
from django.urls import get_resolver

from config.children import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("PLENUM_STATEMENT_SECONDS", "30")  # Nobody waits longer for an answer.
if os.environ.get("PLENUM_UP"):
    end_with_parent()  # Else a server that was killed would leave its workers behind, on our port.
try:
    application = get_wsgi_application()
    get_resolver().url_patterns  # noqa: B018 - Views that refuse their settings do so now, not at the first request.
except ImproperlyConfigured as error:
    sys.exit(str(error))

# A restore behind our back must be noticed before the first answer. A database that is not there yet will be asked by
# the feed itself.
from core.feed.services import ensure_epoch

try:
    ensure_epoch()
except Error as error:
    logging.getLogger("plenum").warning("The epoch of the database could not be looked at: %s", error)
finally:
    connection.close()
