"""The door of servers: `granian --interface wsgi config.wsgi:application`."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from config.children import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("PLENUM_STATEMENT_SECONDS", "30")  # Nobody waits longer for an answer.
if os.environ.get("PLENUM_UP"):
    end_with_parent()  # Else a server that was killed would leave its workers behind, on our port.
try:
    application = get_wsgi_application()
except ImproperlyConfigured as error:
    sys.exit(str(error))
