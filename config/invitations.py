"""Accounts for new people, and passwords that were forgotten: both by a link with which one sets a password oneself.

The link is signed, holds three days, and works once: it is made of the account's password, its last login and address,
so that it ends with the first of them that changes. Nothing of it is stored.
"""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.text import slugify
from procrastinate import RetryStrategy
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from core.notices.mail import absolute, compose

DAYS = settings.PASSWORD_RESET_TIMEOUT // 86_400
_LOCK = 7_206_442


def rights_of(person: User) -> QuerySet[Permission]:
    """Return the rights that `person` has, by groups or alone."""
    if person.is_superuser:
        return Permission.objects.all()
    return Permission.objects.filter(Q(user=person) | Q(group__user=person)).distinct()


def groups_given_by(person: User) -> QuerySet[Group]:
    """Return the groups that `person` may put others into: those that give no right which `person` lacks."""
    groups = Group.objects.order_by("name")
    if person.is_superuser:
        return groups
    lacking = Permission.objects.filter(group=OuterRef("pk")).exclude(pk__in=rights_of(person).values("pk"))
    return groups.filter(~Exists(lacking))


def may_keep(person: User, account: User) -> bool:
    """Return whether `person` has all the rights of `account`: whoever may change an account can act as it."""
    if person.is_superuser:
        return True
    return not account.is_superuser and not rights_of(account).exclude(pk__in=rights_of(person).values("pk")).exists()


@transaction.atomic
def invite(
    *, by: User, email: str, groups: Iterable[Group], username: str = "", first_name: str = "", last_name: str = ""
) -> User:
    """Make an account that cannot log in before it has set a password by its link, and return it.

    Raises ValidationError of the fields (`email_taken`, `unique` on username); PermissionDenied where a group gives
    rights that `by` lacks.
    """
    groups = list(groups)
    if {group.pk for group in groups} - set(groups_given_by(by).values_list("pk", flat=True)):
        raise PermissionDenied("A group gives rights that you do not have.")
    with connection.cursor() as cursor:
        # One at a time: nothing in the table of accounts keeps an address from standing there twice.
        cursor.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
    if User.objects.filter(email__iexact=email).exists():
        message = "An account has this address already; its own page invites it again."
        raise ValidationError({"email": ValidationError(message, code="email_taken")})
    account = User(
        username=username or free_username(email),
        first_name=first_name,
        last_name=last_name,
        email=email,
        is_staff=True,
    )
    account.set_unusable_password()
    account.full_clean()
    account.save(force_insert=True)
    account.groups.set(groups)
    return account


def free_username(email: str) -> str:
    """Return a name to log in by, made of an address, that nobody has."""
    base = slugify(email.partition("@")[0].replace(".", "-"))[:100] or "member"
    taken = set(User.objects.filter(username__startswith=base).values_list("username", flat=True))
    name, n = base, 2
    while name in taken:
        name, n = f"{base}-{n}", n + 1
    return name


def link_for(account: User) -> str:
    """Return the path of the page where `account` sets its password. Whoever has it can: show it once."""
    return reverse(
        "set_password",
        args=[urlsafe_base64_encode(force_bytes(account.pk)), default_token_generator.make_token(account)],
    )


def waits_for_password(account: User) -> bool:
    """Return whether `account` was invited and has not set a password yet."""
    return account.is_active and account.is_staff and not account.has_usable_password()


def can_reset(account: User) -> bool:
    return account.is_active and account.is_staff


# By e-mail: the worker makes the link, so that it stands in no job.


def mail_link(account: User, *, is_invitation: bool, by: User | None = None) -> bool:
    """Ask the worker to send `account` a link, and return whether it will: not without a mail server or an address."""
    if not settings.PLENUM_MAIL or not account.email:
        return False
    job = send_link.configure(queueing_lock=f"link-{account.pk}")
    try:
        with transaction.atomic():
            job.defer(account_id=account.pk, is_invitation=is_invitation, by_id=by.pk if by else None)
    except AlreadyEnqueued:
        pass  # One is on its way: asking often sends no more.
    return True


@app.task(
    name="config.invitations.send_link",
    queue="mail",
    retry=RetryStrategy(max_attempts=6, exponential_wait=4),
    pass_context=False,
)
def send_link(account_id: int, is_invitation: bool, by_id: int | None) -> None:
    account = User.objects.filter(pk=account_id).first()
    if account is None or not can_reset(account) or not settings.PLENUM_MAIL:
        return
    by = User.objects.filter(pk=by_id).first() if by_id is not None else None
    message_to(account, is_invitation=is_invitation, by=by).send()


def message_to(account: User, *, is_invitation: bool, by: User | None) -> EmailMessage:
    """Return the e-mail with a new link for `account`."""
    link = absolute(link_for(account))
    if is_invitation:
        who = (by.get_full_name() or by.get_username()) if by else "Somebody"
        subject, said = "You are invited", f"{who} invites you to write in Plenum, as {account.get_username()}."
        otherwise = "If it has expired, ask for another."
    else:
        subject, said = "Set a new password", f"Somebody asked for a new password of {account.get_username()}."
        otherwise = "If that was not you, do nothing: your password stays as it is."
    text = f"{said}\n\nSet a password here, within {DAYS} days:\n\n{link}\n\n{otherwise}\n"
    token = link.rstrip("/").rpartition("/")[2].partition("-")[0]
    return compose(subject, text, to=account.email, message_id=f"password-{account.pk}-{token}")


def forgotten(email: str) -> int:
    """Send a link to each account with the address `email` that may log in, and return how many they are."""
    accounts: list[Any] = [account for account in User.objects.filter(email__iexact=email) if can_reset(account)]
    for account in accounts:
        mail_link(account, is_invitation=waits_for_password(account))
    return len(accounts)
