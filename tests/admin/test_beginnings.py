"""What is there after migration, and after a flush: sections, rungs, groups with rights."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from catalog.models import Rung, Section
from catalog.seeds import plant
from config.groups import GROUPS


def rights_of(name: str) -> set[str]:
    permissions = Group.objects.get(name=name).permissions.select_related("content_type")
    return {f"{p.content_type.app_label}.{p.codename}" for p in permissions}


def rights_named(name: str) -> set[str]:
    return {
        f"{label.split('.')[0]}.{action}_{label.split('.')[1]}"
        for label, actions in GROUPS[name].items()
        for action in actions.split()
    }


@pytest.mark.django_db
def test_sections_and_rungs_are_there_in_order():
    assert list(Section.objects.values_list("slug", flat=True)) == [
        "compute",
        "power",
        "cooling",
        "network",
        "storage",
        "facilities",
    ]
    assert list(Rung.objects.values_list("slug", "min_w", "max_w")) == [
        ("chip", 100, 2_000),
        ("rack", 2_000, 500_000),
        ("hall", 500_000, 50_000_000),
        ("campus", 50_000_000, 5_000_000_000),
        ("grid", 5_000_000_000, 1_000_000_000_000),
    ]


@pytest.mark.django_db
def test_seeds_leave_alone_what_an_editor_keeps():
    Section.objects.exclude(slug="power").delete()
    Section.objects.update(name="Electricity")

    plant()

    assert list(Section.objects.values_list("slug", "name")) == [("power", "Electricity")]


@pytest.mark.django_db
@pytest.mark.parametrize("name", GROUPS)
def test_groups_have_every_right_that_is_named_and_no_other(name):
    assert rights_of(name) == rights_named(name)


@pytest.mark.django_db
def test_authors_neither_review_nor_publish_nor_delete():
    assert not {
        right for right in rights_of("authors") if right.split(".")[1].startswith(("review", "publish", "delete"))
    }
    assert {"articles.review_article", "articles.publish_article"} <= rights_of("editors")


@pytest.mark.django_db
@pytest.mark.parametrize("name", GROUPS)
def test_no_group_touches_accounts(name):
    assert not Permission.objects.filter(group__name=name, content_type__app_label__in=["auth", "admin", "sessions"])


@pytest.mark.django_db(transaction=True)
def test_a_flush_brings_them_back():
    call_command("flush", interactive=False, verbosity=0)

    assert Section.objects.count() == 6 and Rung.objects.count() == 5
    assert rights_of("editors") == rights_named("editors")
