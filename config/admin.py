"""Accounts and groups, in the look of the rest of the admin."""

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.decorators import display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

admin.site.index_title = "Overview"
admin.site.unregister(User)
admin.site.unregister(Group)


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
