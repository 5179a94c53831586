"""The media browser, and the page of an image: what stands beside it can be corrected, and its file replaced."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.urls import path
from django.utils.html import format_html
from unfold.decorators import display

from core.api.admin import NOTHING, RecordAdmin
from core.media.admin_filters import Needs, Shape
from core.media.admin_forms import ImageForm
from core.media.admin_uploads import describe_upload, upload_image
from core.media.models import Image
from core.media.services import delete_image, hash_of, recipe, save_with_file, supply_file


@admin.register(Image)
class ImageAdmin(RecordAdmin):
    form = ImageForm
    list_display = ["name", "alt", "size", "credit", "licence", "created_at"]
    list_filter = [Needs, Shape, "licence"]
    search_fields = ["name", "alt", "credit"]
    list_per_page = 48
    actions = None  # What a card shows is deleted on its page, which says where it is used.
    list_before_template = "admin/media/image/drop.html"
    change_list_template = "admin/media/image/change_list.html"
    empty_sentence = "Upload a picture, and say what a reader who does not see it should know."

    class Media:
        css = {"all": ["media/library.css"]}
        js = ["media/library.js"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Image]:
        return super().get_queryset(request).prefetch_related("renditions")

    @display(description="Size")
    def size(self, row: Image) -> str:
        if not row.file:
            return "File missing"
        return f"{row.width} × {row.height}, {filesizeformat(row.byte_count) if row.byte_count else NOTHING}"

    @display(description="Picture")
    def picture(self, row: Image) -> str:
        if not row.file:
            return "The file is missing: supply it below."
        return format_html(
            '<span class="plenum-focal" data-focal tabindex="0" role="group" aria-label="What stays in sight when '
            'the picture is cropped: click on it, or move it with the arrow keys">'
            '<img class="plenum-picture" src="{}" srcset="{}" sizes="28rem" width="{}" height="{}" alt="{}">'
            '<span class="plenum-focal-mark" aria-hidden="true"></span></span>',
            row.file.url,
            row.srcset,
            row.width,
            row.height,
            row.alt,
        )

    @display(description="Renditions")
    def renditions_shown(self, row: Image) -> str:
        if not row.file:
            return NOTHING
        if row.render_error:
            return f"Failed, and tried again: {row.render_error}"
        if row.rendered != f"{row.sha256[:32]}:{recipe()}":
            return "Waiting for the worker"
        made = [f"{each.width} {each.get_format_display()}" for each in row.current_renditions]
        return ", ".join(made) or "None: it is narrower than the narrowest, or an animation"

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        if obj is None:
            return ["file", "name", "alt", "credit", "licence"]
        said = ["alt", "credit", "licence", "source_url", "focal_x", "focal_y"]
        replacement = ["replacement"] if self.has_change_permission(request, obj) else []
        return ["picture", "name", "size", *said, *replacement, "renditions_shown", "sha256"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        # Bodies go by the name.
        return [] if obj is None else ["picture", "name", "size", "renditions_shown", "sha256"]

    def get_urls(self) -> list[Any]:
        return [
            path("upload/", self.admin_site.admin_view(upload_image), name="media_image_upload"),
            path("<uuid:pk>/describe/", self.admin_site.admin_view(describe_upload), name="media_image_describe"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        response = super().changelist_view(request, extra_context)
        changelist = getattr(response, "context_data", {}).get("cl")
        if changelist is not None:
            response.context_data["cards"] = [
                {"image": row, "srcset": row.srcset, "size": self.size(row)} for row in changelist.result_list
            ]
        return response

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        if not change:
            save_with_file(obj, form.picture, uploaded_sha256=hash_of(form.cleaned_data["file"]))
            twin = Image.objects.filter(sha256=obj.sha256).exclude(pk=obj.pk).first()
            if twin is not None:
                self.message_user(request, f"The same picture is there already, as {twin.name}.", messages.WARNING)
            return
        super().save_model(request, obj, form, change)
        if form.picture is not None:
            supply_file(obj, form.picture, uploaded_sha256=hash_of(form.cleaned_data["replacement"]))

    def delete_model(self, request: HttpRequest, obj: Image) -> None:
        delete_image(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Image]) -> None:
        for image in queryset:
            delete_image(image)
