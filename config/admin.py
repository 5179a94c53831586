"""Accounts, groups and background jobs, in the look of the rest of the admin."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from procrastinate.contrib.django.admin import ProcrastinateJobAdmin
from procrastinate.contrib.django.models import ProcrastinateEvent, ProcrastinateJob
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action, display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import INPUT_CLASSES, UnfoldAdminEmailInputWidget, UnfoldAdminTextInputWidget

from config.invitations import (
    DAYS,
    groups_given_by,
    invite,
    link_for,
    mail_link,
    may_keep,
    waits_for_password,
)
from core.publishing.admin.forms import VerbForm

admin.site.index_title = "Overview"
admin.site.unregister(User)
admin.site.unregister(Group)
admin.site.unregister(ProcrastinateJob)


class InvitationForm(VerbForm):
    first_name = forms.CharField(required=False, max_length=150, widget=UnfoldAdminTextInputWidget)
    last_name = forms.CharField(required=False, max_length=150, widget=UnfoldAdminTextInputWidget)
    email = forms.EmailField(label="E-mail", max_length=254, widget=UnfoldAdminEmailInputWidget)
    username = forms.CharField(
        required=False,
        max_length=150,
        label="Name to log in by",
        help_text="Empty: made from the e-mail address.",
        widget=UnfoldAdminTextInputWidget,
    )
    groups = forms.ModelMultipleChoiceField(
        Group.objects.none(),
        required=False,
        help_text="They say what the person may do. You can give what you have yourself.",
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, by: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["groups"].queryset = groups_given_by(by)  # type: ignore[attr-defined]  # of a choice of models


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

    actions_list = ["invite_page"]
    actions_detail = ["invite_again_page"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups")

    # Nobody gives rights that he does not have: not by a form, not by a password, not by an invitation.

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and self._may_keep(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and self._may_keep(request, obj)

    def _may_keep(self, request: HttpRequest, obj: Any) -> bool:
        # Unfold asks with the id where it draws the buttons; their pages ask again with the account.
        return not isinstance(obj, User) or may_keep(request.user, obj)  # type: ignore[arg-type]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fixed = [] if request.user.is_superuser else ["is_superuser", "user_permissions"]
        return [*super().get_readonly_fields(request, obj), *fixed]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)
        if not request.user.is_superuser:
            actions.pop("delete_selected", None)  # It would ask once for all of them.
        return actions

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "groups":
            kwargs["queryset"] = groups_given_by(request.user)  # type: ignore[arg-type]
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    # Invitations

    @action(description="Invite somebody", url_path="invite", permissions=["add"])
    def invite_page(self, request: HttpRequest) -> HttpResponse:
        """Ask for name, address and groups; make the account, and show its link once."""
        form = InvitationForm(request.POST or None, by=request.user)
        account = None
        if request.method == "POST" and form.is_valid():
            try:
                account = invite(by=request.user, **form.cleaned_data)  # type: ignore[arg-type]
            except ValidationError as error:
                form.refuse(error)
            else:
                self.log_addition(request, account, "Invited.")
        return self._invitation(request, account, form=form, title="Invite somebody", button="Invite")

    @action(description="Invite again", url_path="invite-again", permissions=["change"])
    def invite_again_page(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        """Make another link for an account that has no password yet, after asking."""
        account = self.get_object(request, str(object_id))
        if account is None:
            raise Http404("There is no such account.")
        if not self.has_change_permission(request, account):
            raise PermissionDenied
        if not waits_for_password(account):
            said = "It has a password already." if account.has_usable_password() else "It may not log in here."
            self.message_user(request, f"{account} needs no invitation: {said}", messages.WARNING)
            return HttpResponseRedirect(reverse("admin:auth_user_change", args=[account.pk]))
        is_asked = request.method == "POST"
        if is_asked:
            self.log_change(request, account, "Invited again.")
        return self._invitation(
            request,
            account if is_asked else None,
            form=VerbForm(),
            title=f"Invite {account} again",
            button="Make a link",
        )

    def _invitation(self, request: HttpRequest, account: User | None, **context: Any) -> HttpResponse:
        if account is not None:
            context["link"] = request.build_absolute_uri(link_for(account))
            context["is_mailed"] = mail_link(account, is_invitation=True, by=request.user)  # type: ignore[arg-type]
        lead = "The account is made at once; a link lets the person set a password, and nobody can log in before that."
        response = TemplateResponse(
            request,
            "admin/accounts/invite.html",
            {
                **self.admin_site.each_context(request),
                "opts": self.opts,
                "account": account,
                "lead": lead,
                "days": DAYS,
                "input_class": " ".join(INPUT_CLASSES),
                **context,
            },
        )
        response["Cache-Control"] = "private, no-store"
        return response

    @display(description="Groups")
    def groups_shown(self, row: User) -> str:
        return ", ".join(group.name for group in row.groups.all())


@admin.register(Group)
class GroupAdmin(BaseGroupAdmin, ModelAdmin):
    list_display = ["name", "members"]
    compressed_fields = True
    empty_sentence = "A group gives rights to its members."

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser  # Who could write a group could give himself any right.

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_superuser

    has_delete_permission = has_change_permission

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
