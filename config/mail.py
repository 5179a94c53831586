"""The server that takes our e-mails, from one address: smtps://name:password@mail.example:465."""

from typing import Any
from urllib.parse import unquote, urlsplit

# What stands before the server says how the connection is kept secret, and the port that is usual for it.
SCHEMES: dict[str, tuple[int, dict[str, bool]]] = {
    "smtp": (25, {}),
    "smtp+tls": (587, {"EMAIL_USE_TLS": True}),
    "smtps": (465, {"EMAIL_USE_SSL": True}),
}


def configured(url: str) -> dict[str, Any]:
    """Return Django's settings for the mail server at `url`. Raises ValueError, which does not repeat the password."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise ValueError(
            "write smtps://name:password@server (TLS from the first byte), smtp+tls://… (STARTTLS), "
            "or smtp://… where the server is on this machine."
        )
    try:
        port = parts.port
    except ValueError:
        raise ValueError("the port is no number up to 65535.") from None
    usual, security = SCHEMES[parts.scheme]
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or usual,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        **security,
    }
