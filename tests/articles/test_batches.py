"""Verbs for many articles: the same as one by one, all or nothing, and a refusal that names its item."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Max

from articles import services
from articles.addresses import keep_old_addresses
from articles.models import Article, DraftAuthor, Edition, OldAddress
from articles.services import Change, NewArticle
from catalog.models import Section
from core.feed.models import Change as FeedChange
from core.feed.models import Instant
from core.notices.models import Notice
from core.publishing.batches import BatchRefused
from core.publishing.models import Redirect, Reference, Review
from core.publishing.services import StaleDraft, database_now
from tests.factories import (
    make_article,
    make_author,
    make_live_article,
    make_next_edition,
    make_person,
    make_section,
    make_source,
    make_tag,
)
from tests.sponsors.factories import make_image

pytestmark = pytest.mark.django_db

BODY = "A link to [the next](article:{slug}), and a source [@report].\n"


def codes(error: ValidationError) -> dict[str, list[str]]:
    by_field = error.error_dict if hasattr(error, "error_dict") else {"": error.error_list}
    return {field: [each.code for each in errors] for field, errors in by_field.items()}


def refusals(error: Any) -> dict[int, dict[str, list[str]]]:
    return {position: codes(each) for position, each in error.value.errors.items()}


@pytest.fixture
def people():
    writer, reviewer = make_person(username="writer"), make_person(username="reviewer")
    for person in (writer, reviewer):
        person.is_staff = person.is_superuser = True
        person.save()
    return writer, reviewer


def publish_each(new: list[NewArticle], writer: Any, reviewer: Any) -> None:
    made = [
        services.create_article(
            by=writer, title=one.title, slug=one.slug, authors=one.authors, tags=one.tags, **one.fields
        )
        for one in new
    ]
    editions = [services.submit_article(article, by=writer) for article in made]
    editions = [services.review_article(edition, by=reviewer, verdict="approved") for edition in editions]
    instant = database_now() - timedelta(days=400)
    for edition in editions:
        services.publish_article(edition, published_at=instant, together=made, by=reviewer)


def publish_all(new: list[NewArticle], writer: Any, reviewer: Any) -> None:
    made = services.create_articles(new, by=writer)
    editions = services.submit_articles(made, by=writer)
    editions = services.review_articles(editions, by=reviewer, verdict="approved")
    instant = database_now() - timedelta(days=400)
    services.publish_articles(editions, published_at=[instant] * len(editions), by=reviewer)


def all_that_was_written(slugs: list[str]) -> dict[str, list[Any]]:
    """Return the rows of some articles, without what differs between any two runs: ids and instants."""
    names = dict(Article.objects.filter(slug__in=slugs).values_list("pk", "slug"))
    editions = dict(Edition.objects.filter(article__in=names).values_list("pk", "slug"))

    def number(slug: str) -> str:
        return slug.rpartition("-")[2]

    def rows(model: Any, key: str, ids: dict[Any, str], *columns: str, **conditions: Any) -> list[Any]:
        found = model.objects.filter(**{f"{key}__in": ids}, **conditions).values_list(key, *columns)
        return sorted((number(ids[pk]), *map(str, values)) for pk, *values in found)

    by_article, by_edition = ("article_id", names), ("edition_id", editions)
    return {
        "drafts": rows(Article, "pk", names, "title", "draft_version", "draft_writer_ids", "section", "explains"),
        "draft authors": rows(DraftAuthor, *by_article, "author_id", "position"),
        "draft tags": rows(Article.tags.through, *by_article, "tag_id"),
        "editions": rows(
            Edition, *by_article, "number", "title", "review_state", "writer_ids", "word_count", "section"
        ),
        "authors": rows(Edition.authors.through, *by_edition, "author_id", "position"),
        "tags": rows(Edition.tags.through, *by_edition, "tag_id"),
        "citations": rows(Edition._meta.get_field("citations").related_model, *by_edition, "source_id", "number"),
        "references": rows(Reference, "holder_id", names, "role", "target_kind", edition_id__isnull=False),
        "draft references": rows(Reference, "holder_id", names, "role", "target_kind", edition_id=None),
        "reviews": rows(Review, "target_id", editions, "verdict", "reviewer", "note"),
        "notices": rows(Notice, "subject_id", names, "recipient", "by", "verb", "number"),
        "unread": rows(Notice, "subject_id", names, "recipient", "verb", read_at=None),
        "changes": rows(FeedChange, "object_id", names, "kind", "change_kind", "reason"),
        "instants": rows(Instant, "object_id", names, "opens"),
        "redirects": rows(Redirect, "subject_id", names, "address"),
    }


def test_a_batch_writes_what_the_verbs_for_one_write(people):
    make_source(slug="report")
    section, authors, tags = make_section(), [make_author(), make_author()], [make_tag(), make_tag()]

    def new(prefix: str) -> list[NewArticle]:
        return [
            NewArticle(
                f"Article {n}",
                f"{prefix}-{n}",
                authors[: n % 3],
                tags[n % 3 :],
                {"body": BODY.format(slug=f"{prefix}-{n % 3 + 1}"), "section": section, "explains": ["density_kw"]},
            )
            for n in (1, 2, 3)
        ]

    # Links are kept by what they lead to: what is written later is not there yet.
    publish_each(new("one"), *people)
    publish_all(new("all"), *people)

    one, many = all_that_was_written(["one-1", "one-2", "one-3"]), all_that_was_written(["all-1", "all-2", "all-3"])
    # All drafts of a batch are there when what they name is written down; one by one, the first names what comes later.
    links = [[row for row in rows.pop("draft references") if row[1] == "link"] for rows in (one, many)]
    assert (len(links[0]), len(links[1])) == (1, 3)
    assert many == one
    assert {name: len(rows) for name, rows in one.items()} == {
        "drafts": 3,
        "draft authors": 3,
        "draft tags": 3,
        "editions": 3,
        "authors": 3,
        "tags": 3,
        "citations": 3,
        "references": 12,
        "reviews": 3,
        "notices": 9,
        "unread": 6,
        "changes": 3,
        "instants": 0,
        "redirects": 0,
    }


def test_a_second_edition_in_a_batch_closes_the_first_and_leaves_a_redirect(people):
    writer, reviewer = people
    old = [make_live_article(slug=f"old-{n}", title=f"Old {n}") for n in (1, 2)]
    before = {article.pk: article.editions.get() for article in old}
    changed = services.change_articles(
        [Change(article, 1, {"slug": f"new-{n}", "title": f"New {n}"}) for n, article in enumerate(old, start=1)],
        by=writer,
    )

    editions = services.submit_articles(changed, by=writer)
    services.review_articles(editions, by=reviewer, verdict="approved")
    live = services.publish_articles(editions, published_at=[None, None])

    assert [(edition.number, edition.slug) for edition in live] == [(2, "new-1"), (2, "new-2")]
    for edition in Edition.objects.filter(pk__in=[each.pk for each in live]):
        first = Edition.objects.get(pk=before[edition.article_id].pk)
        assert first.live.upper == edition.live.lower and edition.live.upper is None
        assert edition.published_at == before[edition.article_id].published_at
    rows = Redirect.objects.filter(kind="article").order_by("address").values_list("address", "slug")
    assert list(rows) == [("old-1", "new-1"), ("old-2", "new-2")]


def test_what_is_refused_of_new_articles_is_said_of_each_and_none_is_written():
    make_article(slug="taken")
    new = [
        NewArticle("Fine", "fine"),
        NewArticle("Taken", "taken"),
        NewArticle("x" * 301, "Not A Slug"),
        NewArticle("Twice", "fine"),
    ]

    with pytest.raises(BatchRefused) as error:
        services.create_articles(new, by=make_person())
    assert refusals(error) == {2: {"title": ["max_length"], "slug": ["invalid"]}}
    with pytest.raises(BatchRefused) as error:
        services.create_articles([new[0], new[1], new[3]], by=make_person())
    assert refusals(error) == {1: {"slug": ["unique"]}, 2: {"slug": ["unique"]}}

    assert list(Article.objects.values_list("slug", flat=True)) == ["taken"]


def test_a_record_that_has_gone_is_said_of_the_article_that_names_it():
    section, gone = make_section(), Section(slug="gone", name="Gone")
    new = [NewArticle("A", "a", fields={"section": section}), NewArticle("B", "b", fields={"section": gone})]

    with pytest.raises(BatchRefused) as error:
        services.create_articles(new, by=make_person())

    assert refusals(error) == {1: {"section": ["invalid"]}}
    assert not Article.objects.exists()


def test_slugs_that_are_made_in_a_batch_differ():
    made = services.create_articles(
        [NewArticle("Busways"), NewArticle("Busways"), NewArticle("Fill")], by=make_person()
    )

    assert [article.slug for article in made] == ["busways", "busways-2", "fill"]


def test_a_draft_that_moved_on_is_said_of_its_change_and_none_is_written():
    by = make_person()
    fine, stale = make_article(title="Fine"), make_article(title="Stale")
    services.change_article(stale, based_on=1, by=by, fields={"title": "Of somebody else"})

    with pytest.raises(BatchRefused) as error:
        services.change_articles([Change(fine, 1, {"title": "X"}), Change(stale, 1, {"title": "Mine"})], by=by)

    assert list(error.value.errors) == [1] and isinstance(error.value.errors[1], StaleDraft)
    assert error.value.errors[1].changed == {"title": ("Of somebody else", "Mine")}
    assert sorted(Article.objects.values_list("title", flat=True)) == ["Fine", "Of somebody else"]


def test_a_mistake_in_a_text_is_said_of_its_draft_and_none_is_frozen():
    fine, wrong = make_article(body="Fine.\n"), make_article(body="Fine.\n\nSee [it](article:nowhere).\n")

    with pytest.raises(BatchRefused) as error:
        services.submit_articles([fine, wrong], by=make_person())

    assert refusals(error) == {1: {"body": ["dangling_article"]}}
    assert error.value.errors[1].error_dict["body"][0].params == {"line": 3, "column": 5}
    assert not Edition.objects.exists() and not Notice.objects.exists()


def approved(articles: list[Article], people: Any) -> list[Edition]:
    writer, reviewer = people
    editions = services.submit_articles(articles, by=writer)
    return services.review_articles(editions, by=reviewer, verdict="approved")


def test_the_article_whose_address_is_taken_is_named_and_none_goes_live(people):
    standing = make_live_article(slug="here")
    services.change_article(standing, based_on=1, by=people[0], fields={"slug": "elsewhere"})
    editions = approved([make_article(slug="free"), make_article(slug="here"), make_article(slug="too")], people)
    last = FeedChange.objects.aggregate(last=Max("id"))["last"]

    with pytest.raises(BatchRefused) as error:
        services.publish_articles(editions, published_at=[None] * 3)

    assert refusals(error) == {1: {"slug": ["slug_taken"]}}
    assert list(Edition.objects.exclude(live=None).values_list("article_id", flat=True)) == [standing.pk]
    assert not FeedChange.objects.filter(id__gt=last).exists()


def test_what_is_not_approved_or_live_already_is_named_and_none_goes_live(people):
    waiting = services.submit_article(make_article(title="Waits"), by=people[0])
    (fine,) = approved([make_article(title="Fine")], people)
    live = make_live_article().editions.get()

    with pytest.raises(BatchRefused) as error:
        services.publish_articles([fine, waiting, live], published_at=[None] * 3)

    assert refusals(error) == {1: {"": ["not_approved"]}, 2: {"": ["already_live"]}}
    assert Edition.objects.get(pk=fine.pk).live is None


def test_articles_of_a_batch_may_link_to_each_other_and_to_nothing_that_readers_do_not_find(people):
    draft = make_article(slug="draft", title="A draft")
    first, second = make_article(slug="first"), make_article(slug="second")
    bodies = {
        first: "See [it](article:second).\n",
        second: f"See [it](article:first) and [that](article:{draft.slug}).\n",
    }
    changes = [Change(article, 1, {"body": body}) for article, body in bodies.items()]
    editions = approved(services.change_articles(changes, by=people[0]), people)

    with pytest.raises(BatchRefused) as error:
        services.publish_articles(editions, published_at=[None, None])
    assert refusals(error) == {1: {"": ["links_to_unpublished"]}}
    assert "“A draft” (draft)" in str(error.value.errors[1])
    assert not Edition.objects.visible(database_now()).exists()

    services.publish_articles(editions, published_at=[None, None], together=[draft])
    assert set(Edition.objects.visible(database_now()).values_list("slug", flat=True)) == {"first", "second"}


def test_who_wrote_one_of_a_batch_approves_of_none(people, settings):
    settings.PLENUM_FOUR_EYES = True
    writer, reviewer = people
    mine = services.submit_article(make_article(), by=reviewer)
    other = services.submit_article(make_article(), by=writer)

    with pytest.raises(BatchRefused) as error:
        services.review_articles([other, mine], by=reviewer, verdict="approved")

    assert refusals(error) == {1: {"": ["own_edition"]}}
    assert not Review.objects.exists()


def test_what_is_frozen_as_it_was_is_returned_and_what_was_withdrawn_is_frozen_anew_unless_asked(people):
    live, over, changed = make_live_article(), make_live_article(), make_live_article()
    services.withdraw_article(over, reason="Wrong.")
    changed = services.change_article(changed, based_on=1, by=people[0], fields={"title": "Another"})
    articles = [Article.objects.get(pk=article.pk) for article in (live, over, changed)]

    kept = services.submit_articles(articles, by=people[0], anew=False)
    assert [(edition.article_id, edition.number) for edition in kept] == [
        (live.pk, 1),
        (over.pk, 1),
        (changed.pk, 2),
    ]

    anew = services.submit_articles(articles, by=people[0])
    assert [edition.number for edition in anew] == [1, 2, 2]


def test_an_edition_that_waited_is_superseded_in_a_batch(people):
    first = services.submit_article(make_article(title="Waits"), by=people[0])
    article = services.change_article(first.article, based_on=1, by=people[0], fields={"title": "Again"})

    services.submit_articles([make_article(), article], by=people[0])

    assert Edition.objects.get(pk=first.pk).review_state == "superseded"
    unread = Notice.objects.unread().filter(recipient=people[1], verb="submitted")
    assert unread.filter(subject_id=article.pk).count() == 1


def test_an_old_address_that_another_article_has_is_named_and_none_is_kept():
    one, two = make_article(slug="one"), make_article(slug="two")
    keep_old_addresses([(one, "/a")])

    with pytest.raises(BatchRefused) as error:
        keep_old_addresses([(two, "/b"), (two, "/a"), (one, "/b"), (one, "/a/")])

    assert refusals(error) == {1: {"": ["address_taken"]}, 2: {"": ["address_taken"]}}
    assert list(OldAddress.objects.values_list("path", flat=True)) == ["/a"]


def statements(number: int, people: Any) -> dict[str, int]:
    """Return how many statements each verb sends for so many articles, with all that they may name."""
    writer, reviewer = people
    author, tag = make_author(), make_tag()
    counts: dict[str, int] = {}
    target = make_live_article()

    def counted(verb: str, call: Any) -> Any:
        sent = []
        with connection.execute_wrapper(lambda execute, sql, *rest: (sent.append(sql), execute(sql, *rest))[1]):
            result = call()
        counts[verb] = len(sent)
        return result

    body = f"See [it](article:{target.slug}).\n"
    rows = [{"body": body, "image": make_image(), "section": make_section()} for _ in range(number)]
    new = [NewArticle(f"{number} and {n}", f"n-{number}-{n}", [author], [tag], row) for n, row in enumerate(rows)]
    made = counted("create", lambda: services.create_articles(new, by=writer))
    editions = counted("submit", lambda: services.submit_articles(made, by=writer))
    editions = counted("review", lambda: services.review_articles(editions, by=reviewer, verdict="approved"))
    counted("publish", lambda: services.publish_articles(editions, published_at=[None] * number, by=reviewer))
    counted("keep", lambda: keep_old_addresses([(article, f"/{article.slug}/old") for article in made]))
    return counts


def test_statements_do_not_grow_with_a_batch(people):
    few, many = statements(2, people), statements(25, people)

    assert many == few
    assert sum(many.values()) <= 75, "what one article took before verbs took many"


def test_a_scheduled_edition_stands_in_the_way_of_its_article_alone(people):
    at = database_now() + timedelta(days=30)
    article = make_live_article()
    make_next_edition(article, title="Later", at=at)
    article = services.change_article(
        Article.objects.get(pk=article.pk), based_on=2, by=people[0], fields={"title": "After that"}
    )
    editions = approved([make_article(), article], people)

    with pytest.raises(BatchRefused) as error:
        services.publish_articles(editions, at=at - timedelta(days=1), published_at=[None, None])

    assert refusals(error) == {1: {"": ["other_edition_then"]}}
    assert not Instant.objects.filter(at__lt=at).exists()
