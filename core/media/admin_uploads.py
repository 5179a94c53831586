"""Pictures that come one by one from a script of the admin: dropped on the media browser, pasted into a body."""

from uuid import UUID

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from core.api.errors import problems_of
from core.media.models import Image
from core.media.services import add_image, describe_image


@require_POST
def upload_image(request: HttpRequest) -> JsonResponse:
    """Store one picture: `POST /admin/media/image/upload/`, by staff that may add images, with the CSRF token.

    A form (multipart/form-data) with `file`, and if wanted `name`, `alt`, `credit`, `licence`. Without a name it
    goes by that of the file; one that is taken gets a number; the same picture under one name is stored once.
    Answers 201 `{"id", "name", "alt", "url", "width", "height"}`, where `name` is what a body writes, or 400
    `{"errors": [{"field", "code", "message"}]}`, 403 for who may not. `url` is a path of this server, or where S3 is.
    """
    if not request.user.has_perm("media.add_image"):
        raise PermissionDenied
    upload = request.FILES.get("file")
    try:
        if upload is None:
            raise ValidationError({"file": ValidationError("Send a picture as `file`.", code="required")})
        said = {name: request.POST.get(name, "").strip() for name in ("alt", "credit", "licence")}
        image = add_image(upload, name=request.POST.get("name", "").strip() or upload.name or "image", **said)
    except ValidationError as error:
        return JsonResponse({"errors": [problem._asdict() for problem in problems_of(error)]}, status=400)
    return JsonResponse(shown(image), status=201)


@require_POST
def describe_upload(request: HttpRequest, pk: UUID) -> JsonResponse:
    """Say what an image shows that nothing says yet: `POST /admin/media/image/<id>/describe/` with `alt`.

    By whoever may add images: it is what they would have sent along, had they typed it sooner. What is there already
    stays. Answers 200 with the image as `upload_image` does, 400 `{"errors": […]}`, 403, 404.
    """
    if not request.user.has_perm("media.add_image"):
        raise PermissionDenied
    try:
        describe_image(pk, alt=request.POST.get("alt", "").strip())
    except ValidationError as error:
        return JsonResponse({"errors": [problem._asdict() for problem in problems_of(error)]}, status=400)
    image = Image.objects.filter(pk=pk).first()
    if image is None:
        raise Http404
    return JsonResponse(shown(image))


def shown(image: Image) -> dict[str, object]:
    """Return what a script shows of an image."""
    return {
        "id": str(image.pk),
        "name": image.name,
        "alt": image.alt,
        "url": image.file.url if image.file else None,
        "width": image.width,
        "height": image.height,
    }
