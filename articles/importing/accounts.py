"""The account that imports write as, and the sample people who approve. None of them can log in."""

from collections.abc import Iterable

from django.contrib.auth.models import Group, User

from articles.importing.records import Person
from catalog.importing.problems import Refusal

IMPORTER = "importer"


def importer() -> tuple[User, list[Refusal]]:
    """Return the account `importer`, made where it is missing; and a refusal where somebody logs in with it.

    It stands for whoever ran the import, so that this person may approve what came in.
    """
    account = _account(IMPORTER, first_name="", last_name="")
    if not account.has_usable_password():
        return account, []
    message = f"Somebody logs in as {IMPORTER}. Rename that account: imports write under this name."
    return account, [Refusal("people.yaml", 1, "", "account_in_use", message)]


def people(records: Iterable[Person]) -> tuple[list[User], list[Refusal]]:
    """Return the accounts of `records`, made where they are missing, and what is wrong with them."""
    accounts, refusals = [], []
    for record in records:
        found = User.objects.filter(username=record.username).first()
        if found is not None and found.has_usable_password():
            message = f"{record.username} is somebody's account here. Choose another name."
            refusals.append(Refusal(record.place.file, record.place.line, "username", "account_in_use", message))
            continue
        groups = list(Group.objects.filter(name__in=record.groups))
        for name in sorted(set(record.groups) - {group.name for group in groups}):
            message = f"There is no group {name}; migrate first, or correct the name."
            refusals.append(Refusal(record.place.file, record.place.line, "groups", "unknown_group", message))
        first, _, last = record.name.partition(" ")
        account = found or _account(record.username, first_name=first, last_name=last)
        if {group.pk for group in groups} - set(account.groups.values_list("pk", flat=True)):
            account.groups.add(*groups)
        accounts.append(account)
    return accounts, refusals


def _account(username: str, *, first_name: str, last_name: str) -> User:
    found = User.objects.filter(username=username).first()
    if found is not None:
        return found
    account = User(username=username, first_name=first_name, last_name=last_name, is_active=False)
    account.set_unusable_password()
    account.save(force_insert=True)
    return account
