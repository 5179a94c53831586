"""The two groups that exist after migration, and the rights their names say.

Authors write, submit and preview. Editors do that too, review, publish and withdraw, and keep the catalogue, the facts
and the directory. Accounts and groups are for superusers. A right that a release adds comes with its migration;
none is ever taken away, so whoever wants other rights makes another group.
"""

from typing import Any

from django.apps import AppConfig
from django.apps import apps as installed

ALL = "view add change delete"
READ_BY_BOTH = [
    "catalog.device",
    "catalog.installation",
    "catalog.manufacturer",
    "catalog.moduletype",
    "catalog.racktype",
    "catalog.rung",
    "catalog.section",
    "facts.claim",
    "facts.fact",
    "simulator.scenario",
]
GROUPS: dict[str, dict[str, str]] = {
    "authors": {
        **dict.fromkeys([*READ_BY_BOTH, "articles.author"], "view"),
        **dict.fromkeys(["articles.tag", "facts.source", "media.image"], "view add"),
        "articles.article": "view add change",
    },
    "editors": {
        **dict.fromkeys([*READ_BY_BOTH, "articles.author", "articles.tag", "facts.source", "media.image"], ALL),
        **dict.fromkeys(["articles.article", "sponsors.placement", "sponsors.vendor"], f"{ALL} review publish"),
        **dict.fromkeys(["catalog.devicecomponent", "catalog.modulecomponent"], "view"),
    },
}


def grant_rights(app_config: AppConfig, *, using: str = "default", apps: Any = installed, **signal: Any) -> None:
    """Make the groups, and give them their rights on the models of `app_config` (a receiver of post_migrate).

    It follows the receiver of django.contrib.auth that makes the permissions, which is connected before it.
    """
    try:
        group, permission = apps.get_model("auth", "Group"), apps.get_model("auth", "Permission")
    except LookupError:
        return  # Migrated back to before accounts existed.
    for name, models in GROUPS.items():
        codenames = [
            f"{action}_{model}"
            for label, actions in models.items()
            for app_label, model in [label.split(".")]
            if app_label == app_config.label
            for action in actions.split()
        ]
        if codenames:
            members = group.objects.using(using).get_or_create(name=name)[0]
            members.permissions.add(
                *permission.objects.using(using).filter(
                    content_type__app_label=app_config.label, codename__in=codenames
                )
            )
