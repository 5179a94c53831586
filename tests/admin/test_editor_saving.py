"""A form that saves itself, and says who else has it open."""

from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from articles import services
from articles.models import Article
from core.publishing.models import OpenForm
from sponsors.models import Vendor
from tests.admin.pages import open_form
from tests.factories import make_article, make_author, make_person, make_tag
from tests.sponsors.factories import make_vendor

FORM = "article_form"


def address(name: str, article: Article) -> str:
    return reverse(f"admin:articles_article_{name}", args=[article.pk])


class Window:
    """A form in a window, as its script drives it."""

    def __init__(self, client, article: Article):
        self.client, self.article, self.id, self.number = client, article, str(uuid4()), 0
        self.fields = open_form(client, address("change", article), FORM)

    def type(self, **fields):
        self.fields |= fields

    def save(self, *, number: int | None = None, keep: list[str] | None = None, acknowledged: bool = True):
        self.number = self.number + 1 if number is None else number
        sent = {**self.fields, "form_id": self.id, "number": str(self.number)} | ({"keep": keep} if keep else {})
        response = self.client.post(address("autosave", self.article), sent)
        if response.status_code == 200 and acknowledged:
            self.fields["based_on"] = str(response.json()["version"])
        return response

    def beat(self, **fields):
        return self.client.post(address("presence", self.article), {"form_id": self.id, **fields})


def stored(article: Article) -> Article:
    return Article.objects.get(pk=article.pk)


# Saving by itself


def test_a_form_saves_itself_again_and_again(author):
    article = make_article(title="Racks", body="One.\n")
    window = Window(author, article)

    window.type(body="One.\r\n\r\nTwo  \r\n")
    first = window.save()
    window.type(title="Racks and rows")
    second = window.save()

    assert (first.status_code, first.json()) == (200, {"version": 2, "unsaved": []})
    assert second.json() == {"version": 3, "unsaved": []}
    saved = stored(article)
    assert (saved.title, saved.body, saved.draft_version) == ("Racks and rows", "One.\n\nTwo  \n", 3)
    assert saved.draft_writer_ids[-1] == author.person.pk
    assert [entry.change_message for entry in LogEntry.objects.all()] == ["Saved by itself while it was written."]


def test_a_save_of_nothing_makes_no_version(author):
    article = make_article(tags=[make_tag()], authors=[make_author()])
    window = Window(author, article)

    response = window.save()

    assert response.json() == {"version": stored(article).draft_version, "unsaved": []}
    assert stored(article).draft_version == article.draft_version
    assert not LogEntry.objects.exists()


def test_authors_and_tags_are_saved_too(author):
    ines, tag = make_author(name="Ines"), make_tag()
    article = make_article()
    window = Window(author, article)

    window.type(
        **{"tags": [str(tag.pk)], "authorships-TOTAL_FORMS": "1", "authorships-0-author": str(ines.pk)},
        **{"authorships-0-article": str(article.pk), "authorships-0-position": "0"},
    )
    response = window.save()

    assert response.status_code == 200
    assert [row.author for row in stored(article).authorships.all()] == [ines]
    assert list(stored(article).tags.all()) == [tag]


@pytest.mark.parametrize(
    ("typed", "name"),
    [({"slug": "h"}, "slug"), ({"slug": ""}, "slug"), ({"slug": "no slug"}, "slug"), ({"title": "  "}, "title")],
)
def test_what_is_half_typed_is_not_saved_and_the_rest_is(author, typed, name):
    article = make_article(slug="racks", title="Racks")
    window = Window(author, article)

    window.type(body="Typed.\n", **typed)
    response = window.save()

    assert response.status_code == 200
    assert [field["name"] for field in response.json()["unsaved"]] == [name]
    saved = stored(article)
    assert (saved.slug, saved.title, saved.body) == ("racks", "Racks", "Typed.\n")


def test_a_row_that_is_not_complete_leaves_the_byline_alone(author):
    article = make_article(authors=[make_author(name="Ines")])
    window = Window(author, article)

    window.type(body="Typed.\n", **{"authorships-0-author": "nobody"})
    response = window.save()

    assert [field["name"] for field in response.json()["unsaved"]] == ["authorships"]
    assert stored(article).body == "Typed.\n"
    assert [str(row) for row in stored(article).authorships.all()] == ["Ines"]


def test_a_correction_that_is_not_complete_takes_nothing_away(author):
    row = {"said": "9 kW", "says": "10 kW", "on": "2026-10-02", "gravity": "minor"}
    article = make_article(corrections=[row], tags=[make_tag()])
    window = Window(author, article)

    window.type(**{"corrections-0-said": "", "title": "Typed"})
    response = window.save()

    assert [field["name"] for field in response.json()["unsaved"]] == ["corrections"]
    assert (stored(article).title, stored(article).corrections) == ("Typed", [row])
    assert stored(article).tags.count() == 1


# Conflicts


def test_a_save_after_somebody_elses_is_refused_with_both_values_and_writes_nothing(author, other_editor):
    article = make_article(title="Racks", dek="Before.", body="One.\n")
    mine, theirs = Window(author, article), Window(other_editor, article)
    theirs.type(title="Theirs", body="One.\n\n" + "Their words. " * 20)
    assert theirs.save().status_code == 200
    before = Article.objects.filter(pk=article.pk).values().get()

    mine.type(title="Mine", body="One.\n\n" + "My words. " * 20)
    refused = mine.save()

    assert refused.status_code == 409
    told = refused.json()
    assert (told["version"], told["by"]) == (2, "olga")
    fields = {clash["name"]: clash for clash in told["clashes"]}
    assert set(fields) == {"title", "body"}
    assert (fields["title"]["stored"], fields["title"]["typed"], fields["title"]["value"]) == (
        "Theirs", "Mine", "Theirs",
    )  # fmt: skip
    assert fields["body"]["value"] == "One.\n\n" + "Their words. " * 20
    assert [line[:9] for line in fields["body"]["lines"] if line[0] in "+-"] == ["-Their wo", "+My words"]
    assert Article.objects.filter(pk=article.pk).values().get() == before


def test_mine_is_kept_over_theirs_field_by_field(author, other_editor):
    article = make_article(title="Racks", dek="Before.", slug="racks")
    mine, theirs = Window(author, article), Window(other_editor, article)
    theirs.type(title="Theirs", dek="Their dek.")
    theirs.save()
    mine.type(title="Mine", dek="My dek.", slug="mine")
    refused = mine.save().json()

    mine.type(based_on=str(refused["version"]))
    response = mine.save(keep=["title", "slug"])

    assert response.json() == {"version": 3, "unsaved": []}
    assert (stored(article).title, stored(article).dek, stored(article).slug) == ("Mine", "Their dek.", "mine")


def test_who_settles_a_conflict_is_told_of_the_next_one(author, other_editor):
    article = make_article()
    mine, theirs = Window(author, article), Window(other_editor, article)
    for title in ("First", "Second"):
        theirs.type(title=title)
        theirs.save()
    mine.type(title="Mine", based_on="2")

    response = mine.save(keep=["title"])

    assert response.status_code == 409
    assert stored(article).title == "Second"


def test_different_authors_are_a_conflict_with_both_bylines(author, other_editor):
    ines, jon = make_author(name="Ines"), make_author(name="Jon")
    article = make_article(authors=[ines])
    mine, theirs = Window(author, article), Window(other_editor, article)
    theirs.type(title="Theirs")
    theirs.save()

    mine.type(**{"authorships-0-author": str(jon.pk), "title": "Theirs"})
    refused = mine.save()

    assert [(c["name"], c["stored"], c["typed"]) for c in refused.json()["clashes"]] == [("authorships", "Ines", "Jon")]
    assert [row.author for row in stored(article).authorships.all()] == [ines]


def test_who_typed_the_same_is_in_no_conflict(author, other_editor):
    article = make_article()
    mine, theirs = Window(author, article), Window(other_editor, article)
    for window in (theirs, mine):
        window.type(title="The same")

    assert theirs.save().json() == {"version": 2, "unsaved": []}
    assert mine.save().json() == {"version": 2, "unsaved": []}


# One's own saves


def test_a_save_whose_answer_was_lost_is_no_conflict_with_the_next(author):
    article = make_article()
    window = Window(author, article)
    window.type(body="Lost answer.\n")
    window.save(acknowledged=False)

    window.type(body="Lost answer, more words.\n")
    response = window.save()

    assert response.json() == {"version": 3, "unsaved": []}
    assert stored(article).body == "Lost answer, more words.\n"


def test_a_save_that_arrives_after_a_later_one_does_not_bring_the_older_text_back(author):
    article = make_article()
    window = Window(author, article)
    window.type(body="Later.\n")
    window.save(number=2, acknowledged=False)

    window.type(body="Older.\n")
    late = window.save(number=1)

    assert late.status_code == 409
    assert stored(article).body == "Later.\n"


def test_a_save_after_mine_and_theirs_is_a_conflict(author, other_editor):
    article = make_article()
    mine = Window(author, article)
    mine.type(body="Mine.\n")
    mine.save(acknowledged=False)
    theirs = Window(other_editor, article)
    theirs.type(body="Theirs.\n")
    theirs.save()

    mine.type(body="Mine, more.\n")
    response = mine.save()

    assert response.status_code == 409
    assert stored(article).body == "Theirs.\n"


def test_the_button_knows_the_saves_of_its_own_form(author, other_editor):
    article = make_article()
    window = Window(author, article)
    window.type(body="By itself.\n")
    window.save(acknowledged=False)

    window.type(body="By the button.\n", form_id=window.id, _continue="1")
    response = author.post(address("change", article), window.fields)

    assert response.status_code == 302
    assert stored(article).body == "By the button.\n"
    stranger = Window(other_editor, article)
    stranger.type(body="Stale.\n", form_id=window.id, based_on="1", _continue="1")
    assert other_editor.post(address("change", article), stranger.fields).status_code == 409
    assert stored(article).body == "By the button.\n"


# Who may, and what is asked


def test_who_may_not_write_saves_nothing_and_is_not_shown(author, client):
    article = make_article(title="Racks")
    window = Window(author, article)
    window.type(title="Typed")

    client.force_login(make_person(is_staff=True))
    for name in ("autosave", "presence"):
        sent = {**window.fields, "form_id": window.id, "number": "1"}
        assert client.post(address(name, article), sent).status_code == 403
        assert author.get(address(name, article)).status_code == 405
        assert author.post(address(name, article), {}).status_code == 400

    assert stored(article).title == "Racks"
    assert not OpenForm.objects.exists()


def test_a_save_costs_the_same_with_a_long_byline(author):
    def cost(authors: int) -> int:
        window = Window(author, make_article(authors=[make_author() for _ in range(authors)]))
        window.type(body="Typed.\n")
        with CaptureQueriesContext(connection) as captured:
            assert window.save().status_code == 200
        return len(captured)

    cost(1)

    assert cost(2) == cost(12)


# Who else is there


def test_others_are_named_with_what_they_have_not_saved(author, other_editor):
    article = make_article()
    mine, theirs = Window(author, article), Window(other_editor, article)
    theirs.beat(has_changed="1")

    alone = theirs.beat(has_changed="1").json()
    told = mine.beat().json()

    assert alone["others"] == []
    assert [(o["name"], o["has_changed"], o["is_you"]) for o in told["others"]] == [("olga", True, False)]
    assert told["version"] == 1
    mine_again = Window(author, article)
    assert [(o["name"], o["is_you"]) for o in mine_again.beat().json()["others"]] == [("olga", False), ("ada", True)]


def test_who_leaves_is_gone_at_once_and_who_is_silent_after_a_minute(author, other_editor, editor):
    article = make_article()
    mine, theirs, third = (Window(client, article) for client in (author, other_editor, editor))
    theirs.beat()
    third.beat()

    assert theirs.beat(leave="1").status_code == 204
    assert [other["name"] for other in mine.beat().json()["others"]] == ["edgar"]
    with connection.cursor() as cursor:
        cursor.execute("update publishing_openform set seen_at = now() - interval '61 seconds'")
    assert mine.beat().json()["others"] == []


def test_nobody_speaks_for_the_form_of_somebody_else(author, other_editor):
    article = make_article()
    theirs = Window(other_editor, article)
    theirs.beat(has_changed="1")
    mine = Window(author, article)
    mine.id = theirs.id

    mine.beat()
    mine.beat(leave="1")

    row = OpenForm.objects.get()
    assert (row.user, row.has_changed) == (other_editor.person, True)


def test_forms_of_yesterday_are_forgotten(author):
    article = make_article()
    Window(author, article).beat()
    with connection.cursor() as cursor:
        cursor.execute("update publishing_openform set seen_at = now() - interval '25 hours'")

    Window(author, article).beat()

    assert OpenForm.objects.count() == 1


def test_who_wrote_last_is_named(author, other_editor):
    article = make_article()
    mine, theirs = Window(author, article), Window(other_editor, article)
    theirs.type(title="Theirs")
    theirs.save()

    assert (mine.beat().json()["version"], mine.beat().json()["by"]) == (2, "olga")
    assert theirs.beat().json()["by"] == "you, in another window"


def test_a_form_of_a_vendor_says_who_is_there_and_does_not_save_itself(editor, other_editor):
    vendor = make_vendor()
    presence = reverse("admin:sponsors_vendor_presence", args=[vendor.pk])
    other_editor.post(presence, {"form_id": str(uuid4()), "has_changed": "0"})

    told = editor.post(presence, {"form_id": str(uuid4())}).json()

    assert [other["name"] for other in told["others"]] == ["olga"]
    page = editor.get(reverse("admin:sponsors_vendor_change", args=[vendor.pk])).content.decode()
    assert f'data-presence="{presence}"' in page and "data-autosave" not in page
    assert Vendor.objects.get().draft_version == 1


def test_saves_by_services_are_seen_as_versions(author):
    article = make_article()
    window = Window(author, article)
    services.change_article(
        article, based_on=1, by=make_person(first_name="Ines", last_name="Holm"), fields={"dek": "x"}
    )

    assert window.beat().json()["by"] == "Ines Holm"
