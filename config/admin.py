"""Accounts, groups and background jobs, in the look of the rest of the admin."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from procrastinate.contrib.django.admin import ProcrastinateJobAdmin
from procrastinate.contrib.django.models import ProcrastinateEvent, ProcrastinateJob
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

admin.site.index_title = "Overview"
admin.site.unregister(User)
admin.site.unregister(Group)
admin.site.unregister(ProcrastinateJob)


@admin.register(User)
class UserAdmin(BaseUserAdmin, ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "first_name", "last_name", "groups_shown", "is_active", "is_superuser", "last_login"]
    list_filter = ["groups", "is_active", "is_staff", "is_superuser"]
    compressed_fields = True
    warn_unsaved_form = True
    empty_sentence = "An account lets somebody work here; its group says what it may do."

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups")

    @display(description="Groups")
    def groups_shown(self, row: User) -> str:
        return ", ".join(group.name for group in row.groups.all())


@admin.register(Group)
class GroupAdmin(BaseGroupAdmin, ModelAdmin):
    list_display = ["name", "members"]
    compressed_fields = True
    empty_sentence = "A group gives rights to its members."

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        return super().get_queryset(request).annotate(member_count=Count("user"))

    @display(description="Members", ordering="member_count")
    def members(self, row: Group) -> int:
        return int(row.member_count)  # type: ignore[attr-defined]  # annotated above


class JobEvents(TabularInline):
    model = ProcrastinateEvent
    verbose_name, verbose_name_plural = "event", "events"
    fields = readonly_fields = ["type", "at"]
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


@admin.register(ProcrastinateJob)
class JobAdmin(ProcrastinateJobAdmin, ModelAdmin):
    """What the worker has done and has to do. Retry, cancel and abort are procrastinate's own."""

    list_display = ["task_name", "state", "queue_name", "attempts", "scheduled_at"]
    list_filter = ["status", "queue_name"]
    list_filter_submit = True
    search_fields = ["task_name", "queue_name"]
    ordering = ["-id"]
    fields = ["task_name", "state", "args", "queue_name", "lock", "priority", "attempts", "scheduled_at"]
    inlines = [JobEvents]
    compressed_fields = True
    empty_sentence = "The worker has had nothing to do yet."

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [*super().get_readonly_fields(request, obj), "state"]

    @display(
        description="State",
        ordering="status",
        label={"todo": "info", "doing": "info", "succeeded": "success", "failed": "danger", "": ""},
    )
    def state(self, row: Any) -> tuple[str, str]:
        return row.status, row.status.title()
