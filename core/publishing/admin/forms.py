"""The forms that stand before a verb. Instants are typed on the clock of the editor, and the zone is on the page."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from unfold.widgets import (
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from core.api.instants import gap_around, instants_of

NOW, LATER = "now", "later"


class VerbForm(forms.Form):
    """A form with nothing to fill in: the button is the question."""

    fields_of_errors: dict[str, str] = {}
    """Which field shows an error that a service put on another."""

    def refuse(self, error: ValidationError) -> None:
        """Show what a service refused."""
        if not hasattr(error, "error_dict"):
            self.add_error(None, error)
            return
        for name, errors in error.error_dict.items():
            field = self.fields_of_errors.get(name, name)
            self.add_error(field if field in self.fields else None, errors)


class BasedOnForm(VerbForm):
    """The version of the draft that the page showed."""

    based_on = forms.IntegerField(widget=forms.HiddenInput)


class ReviewForm(VerbForm):
    verdict = forms.ChoiceField(
        label="Verdict",
        choices=[("approved", "Approve"), ("changes_requested", "Ask for changes")],
        widget=UnfoldAdminRadioSelectWidget,
    )
    note = forms.CharField(
        label="Note",
        required=False,
        help_text="What should change. With an approval it may stay empty.",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 5}),
    )


class LocalTimeField(forms.CharField):
    """A date and a time as a clock shows them: a naive datetime, to the minute."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text:
            return None
        try:
            local = datetime.fromisoformat(text)
        except ValueError:
            raise ValidationError("Write a date and a time: 2026-10-05 14:00.", code="invalid") from None
        if local.tzinfo is not None:
            raise ValidationError("Write the time without an offset; the zone has a field of its own.", code="invalid")
        if not 2000 <= local.year < 2200:
            raise ValidationError("That year is out of reach.", code="invalid")
        return local.replace(microsecond=0)

    def prepare_value(self, value: Any) -> Any:
        return value.isoformat(timespec="minutes") if isinstance(value, datetime) else value


def the_instant(local: datetime, zone_name: str, *, which: str = "") -> datetime:
    """Return the instant at which clocks in a zone show `local` (naive); `which` (0 or 1) of two.

    Raises ValidationError: `no_such_time` where clocks are put forward over it, `ambiguous_time` where they are put
    back and nothing says which of the two is meant.
    """
    zone = ZoneInfo(zone_name)
    found = instants_of(local, zone)
    if not found:
        start, end = gap_around(local, zone)
        raise ValidationError(
            f"There is no {local:%H:%M} on that day in {zone_name}: "
            f"clocks go from {start:%H:%M} straight to {end:%H:%M}. Choose another time.",
            code="no_such_time",
        )
    if len(found) == 2 and which not in ("0", "1"):
        raise ValidationError(
            f"Clocks in {zone_name} are put back then and show {local:%H:%M} twice: say which, or write it in UTC.",
            code="ambiguous_time",
        )
    return found[int(which or 0)] if len(found) == 2 else found[0]


class WhenForm(VerbForm):
    """Now, or at an instant. `cleaned_data["at"]` is that instant (timezone-aware), None for now."""

    fields_of_errors = {"at": "local"}

    when = forms.ChoiceField(
        label="When",
        choices=[(NOW, "Now"), (LATER, "At this time:")],
        initial=NOW,
        widget=UnfoldAdminRadioSelectWidget,
    )
    local = LocalTimeField(
        label="Date and time",
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"type": "datetime-local"}),
    )
    zone = forms.ChoiceField(
        label="Time zone",
        required=False,
        choices=lambda: [(name, name.replace("_", " ")) for name in zone_names()],
        help_text="The clock that the time is read from.",
        widget=UnfoldAdminSelectWidget,
    )
    which = forms.ChoiceField(label="Which of the two", required=False, choices=[], widget=UnfoldAdminRadioSelectWidget)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["zone"].initial = timezone.get_current_timezone_name()
        self._offer_both()

    def _offer_both(self) -> None:
        """Ask which of two instants is meant where the clock shows the time twice; else there is nothing to ask."""
        found: list[datetime] = []
        try:
            local = LocalTimeField(required=False).clean(self.data.get(self.add_prefix("local")))
            zone = self.data.get(self.add_prefix("zone"), "")
            if local is not None and zone in available_timezones():
                found = instants_of(local, ZoneInfo(zone))
        except ValidationError:
            pass  # The field says so.
        if len(found) == 2:
            self.fields["which"].choices = [  # type: ignore[attr-defined]
                (str(n), f"{word}: {instant.astimezone(ZoneInfo(zone)):%H:%M %Z}, that is {instant:%H:%M} UTC")
                for n, (word, instant) in enumerate(zip(("The first", "The second"), found, strict=True))
            ]
        else:
            del self.fields["which"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["at"] = None
        local = cleaned.get("local")
        if cleaned.get("when") == NOW and local is not None:
            # Who fills in a time means that time: at once would be what nobody can take back.
            message = "A time is filled in. Choose “At this time”, or empty the time to do it now."
            self.add_error("when", ValidationError(message, code="time_with_now"))
        if cleaned.get("when") != LATER or "local" in self.errors:
            return cleaned
        if local is None:
            self.add_error("local", ValidationError("Say when.", code="required"))
            return cleaned
        if not cleaned.get("zone"):
            self.add_error("zone", ValidationError("Say on which clock.", code="required"))
            return cleaned
        try:
            cleaned["at"] = the_instant(local, cleaned["zone"], which=cleaned.get("which", ""))
        except ValidationError as error:
            self.add_error("local", error)
        return cleaned


class WithdrawForm(WhenForm):
    reason = forms.CharField(
        label="Reason",
        required=False,
        help_text="It stays with the edition, for editors.",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )
    field_order = ["reason", "when", "local", "zone", "which"]


def zone_names() -> list[str]:
    """Return the zones that an editor can choose: those named after a place, and UTC."""
    names = {name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/"))}
    return ["UTC", *sorted(names | {timezone.get_current_timezone_name()} - {"UTC"})]
