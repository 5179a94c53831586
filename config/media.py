"""Media from the local folder. Where S3 holds them, browsers go there and this has nothing to do."""

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.static import serve


def media_file(request: HttpRequest, path: str) -> HttpResponseBase:
    """Return a stored file. Its name is never given to another file, so whoever has it may keep it."""
    response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response
