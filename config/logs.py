"""What must not stand in a log: the token of a preview link is a part of its address."""

import logging
import re

_TOKEN = re.compile(r"(/preview/)[^/\s'\"]+")


class HideTokens(logging.Filter):
    """Writes … for the token of each preview link that a record names."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        hidden = _TOKEN.sub(r"\1…", message)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True
