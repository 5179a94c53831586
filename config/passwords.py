"""Pages for people who cannot log in yet: set a password by a link, ask for a link."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse, reverse_lazy
from django.views.decorators.cache import never_cache
from unfold.widgets import INPUT_CLASSES

from config.invitations import DAYS, can_reset, forgotten


class OwnPasswordForm(SetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["class"] = " ".join(INPUT_CLASSES)


class SetPassword(PasswordResetConfirmView):
    """Set the password of the account that a link is for. The token leaves the address bar before anything loads."""

    form_class = OwnPasswordForm
    template_name = "admin/accounts/set_password.html"
    success_url = reverse_lazy("admin:login")
    title = "Set your password"

    def get_user(self, uidb64: str) -> User | None:
        account = super().get_user(uidb64)
        return account if account is not None and can_reset(account) else None

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        messages.success(self.request, f"Your password is set. Log in as {form.user.get_username()}.")
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {
            **super().get_context_data(**kwargs),
            **admin.site.each_context(self.request),
            "days": DAYS,
            "title": self.title,
        }


class ForgottenForm(forms.Form):
    email = forms.EmailField(
        label="Your e-mail address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "class": " ".join(INPUT_CLASSES)}),
    )


@never_cache
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """Send a link to whoever has the address that is typed. The answer is the same whether anybody has."""
    if not settings.PLENUM_MAIL:
        raise Http404("This installation sends no e-mail.")
    form = ForgottenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        forgotten(form.cleaned_data["email"])
        messages.success(
            request, f"If an account has this address, a link is on its way to it. It holds {DAYS} days and works once."
        )
        return HttpResponseRedirect(reverse("admin:login"))
    context = {**admin.site.each_context(request), "title": "Forgotten your password?", "form": form}
    return TemplateResponse(request, "admin/accounts/forgotten.html", context)
