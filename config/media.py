"""Media from the local folder. Where S3 holds them, browsers go there and this has nothing to do."""

from pathlib import PurePosixPath

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.static import serve

TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif"}
"""What is served, by the ending of its name, whatever lies in the folder: nothing that could hold a script."""


def media_file(request: HttpRequest, path: str) -> HttpResponseBase:
    """Return a stored picture. Its name is never given to another file, so whoever has it may keep it."""
    kind = TYPES.get(PurePosixPath(path).suffix.lower())
    if kind is None:
        raise Http404
    response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    response["Content-Type"] = kind
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    response["X-Content-Type-Options"] = "nosniff"
    # Front-ends of any origin show it.
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response["Access-Control-Allow-Origin"] = "*"
    return response
