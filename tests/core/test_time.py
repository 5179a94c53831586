"""Instants: readers see them without any worker, the feed tells each once however workers end, and says how late."""

import logging
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from django.db import connection, transaction

from articles import services
from articles.models import Edition
from core.feed import tasks
from core.feed.models import Change, Instant
from core.feed.services import announce_due
from core.publishing.services import database_now
from tests.admin.pages import open_form
from tests.core.feed.following import settle
from tests.factories import make_approved_edition, make_live_article, make_next_edition, make_person

ROOT = Path(__file__).resolve().parents[2]
WORKER = [sys.executable, "manage.py", "procrastinate", "worker", "--shutdown-graceful-timeout", "10"]  # As `up` does.

pytestmark = pytest.mark.django_db(transaction=True)


def wait(seconds: float) -> None:
    """Let the database's clock go on."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_sleep(%s)", [seconds])


def until(happens: Callable[[], bool], *, seconds: float) -> None:
    for _ in range(int(seconds / 0.02)):
        if happens():
            return
        wait(0.02)
    pytest.fail(f"It did not happen within {seconds} s.")


def count_of_workers() -> int:
    with connection.cursor() as cursor:
        cursor.execute("select count(*) from procrastinate_workers")
        return cursor.fetchone()[0]


def make_planned(count: int) -> list:
    """Return articles whose publication is planned for in an hour."""
    return [make_live_article(at=database_now() + timedelta(hours=1)) for _ in range(count)]


def bring_forward(articles, seconds: float) -> datetime:
    """Move the instant of plans to `seconds` from now, and return it: as if the time between had passed.

    The guards that keep history true are set aside for that, so no test has to wait or to race with a clock.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("alter table articles_edition disable trigger user")
        cursor.execute(
            "update articles_edition set live = tstzrange(statement_timestamp() + %s * interval '1 second', null)"
            " where article_id = any (%s) returning lower(live)",
            [seconds, [article.pk for article in articles]],
        )
        (at,) = {at for (at,) in cursor.fetchall()}
        cursor.execute(
            "update feed_instant set at = %s where object_id = any (%s)", [at, [article.pk for article in articles]]
        )
        cursor.execute("alter table articles_edition enable trigger user")
    return at


def make_due(count: int) -> list:
    """Return articles whose planned publication has passed a second ago, without any worker."""
    articles = make_planned(count)
    bring_forward(articles, -1)
    return articles


def told(articles) -> list[tuple]:
    ids = [article.pk for article in articles]
    rows = Change.objects.filter(object_id__in=ids).order_by("object_id")
    return list(rows.values_list("object_id", "change_kind", "reason"))


def once(articles) -> list[tuple]:
    return [(pk, "upsert", "published") for pk in sorted(article.pk for article in articles)]


def url_of_database() -> str:
    parts = connection.settings_dict
    account = f"{parts['USER']}:{parts['PASSWORD'] or ''}"
    return f"postgresql://{account}@/{parts['NAME']}?host={parts['HOST']}&port={parts['PORT'] or 5432}"


def test_many_announcers_at_once_tell_each_instant_once():
    articles = make_due(5)
    start = threading.Barrier(4)

    def work() -> None:
        start.wait(30)
        announce_due()
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert told(articles) == once(articles)


def test_an_announcer_that_dies_before_it_commits_has_told_nothing_and_another_tells_it_once(caplog):
    articles = make_due(2)
    with psycopg.connect(url_of_database()) as other:
        other.execute("update feed_instant set announced = true where not announced and at <= statement_timestamp()")
        with connection.cursor() as cursor:
            cursor.execute("select pg_terminate_backend(%s, 10000)", [other.info.backend_pid])
            assert cursor.fetchone() == (True,)
        with pytest.raises(psycopg.OperationalError):
            other.execute("select 1")

    with caplog.at_level(logging.INFO, logger="core.feed"):
        assert announce_due() == 2
        assert announce_due() == 0

    assert told(articles) == once(articles)
    (record,) = [record for record in caplog.records if record.name == "core.feed.services"]
    assert re.fullmatch(
        r"Told 2 changes of what is live at their instants, \d+\.\d{3} s late at most\.", record.message
    )


def test_readers_see_an_edition_from_its_instant_with_no_worker_at_all(client):
    (article,) = make_due(1)

    item = client.get(f"/api/v1/articles/{article.slug}/").json()

    edition = article.editions.get()
    assert item["updated_at"] == edition.live.lower.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    before = (edition.live.lower - timedelta(microseconds=1)).isoformat()
    assert client.get(f"/api/v1/articles/{article.slug}/", {"as_of": before}).status_code == 404
    assert told([article]) == []
    announce_due()
    assert told([article]) == once([article])


@pytest.mark.long
def test_a_worker_killed_across_the_instant_loses_nothing_and_tells_nothing_twice():
    environment = {**os.environ, "DATABASE_URL": url_of_database(), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    environment["TEST_DATABASE_URL"] = environment["DATABASE_URL"]
    workers = [subprocess.Popen(WORKER, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) for _ in range(2)]
    try:
        until(lambda: count_of_workers() == 2, seconds=60)
        articles = make_planned(20)
        at = bring_forward(articles, 1)
        tasks.keep_feed(timestamp=0)  # As each minute: it gives the instant a job.
        until(lambda: database_now() >= at, seconds=10)
        os.kill(workers[0].pid, signal.SIGKILL)

        # Where the one that was killed had the job, the other one's next round tells of it.
        until(lambda: len(told(articles)) == len(articles), seconds=90)
        wait(0.3)
        assert told(articles) == once(articles)
        assert workers[1].poll() is None
    finally:
        for worker in workers:
            worker.kill()
            worker.wait(30)


def test_the_metric_says_how_late_instants_are_told(client, settings):
    def metrics() -> dict[str, float]:
        response = client.get("/metrics", headers={"host": "10.1.2.3"})
        assert response["Content-Type"].startswith("text/plain; version=0.0.4")
        lines = response.content.decode().splitlines()
        return {line.split()[0]: float(line.split()[1]) for line in lines if not line.startswith("#")}

    Instant.objects.all().delete()
    make_due(3)
    waiting = metrics()
    assert waiting["plenum_announcements_due"] == 3
    assert waiting["plenum_announcement_lag_seconds"] > 1
    assert "plenum_announcement_last_lag_seconds" not in waiting

    announce_due()

    after = metrics()
    assert (after["plenum_announcement_lag_seconds"], after["plenum_announcements_due"]) == (0, 0)
    assert after["plenum_announcements_total"] == 3
    assert after["plenum_announcement_longest_lag_seconds"] >= after["plenum_announcement_last_lag_seconds"] > 0


def test_metrics_take_the_token_of_the_operator(client, settings):
    settings.PLENUM_METRICS_TOKEN = "a token of the operator"

    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer another"}).status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer a token of the operator"}).status_code == 200

    settings.PLENUM_METRICS_TOKEN, settings.PRODUCTION = "", True
    assert client.get("/metrics").status_code == 404


def test_the_worker_plans_a_job_for_what_passes_within_the_minute():
    soon, _ = make_planned(2)
    settle()
    at = bring_forward([soon], 60)

    for _ in range(2):
        tasks.keep_feed(timestamp=0)

    with connection.cursor() as cursor:
        cursor.execute(
            "select scheduled_at from procrastinate_jobs where task_name like '%%announce' and status = 'todo'"
        )
        assert cursor.fetchall() == [(at,)]
        cursor.execute("delete from procrastinate_jobs")


def test_a_plan_that_was_called_off_leaves_its_fields_empty_and_the_next_save_is_free(client):
    editor = make_person(is_staff=True, is_superuser=True)
    client.force_login(editor)
    article = make_live_article(title="Here", by=editor)
    edition = make_next_edition(article, by=editor, title="Later", at=database_now() + timedelta(hours=1))
    services.cancel_article(edition)
    edition.refresh_from_db()
    assert (edition.live, edition.published_at) == (None, None)

    (past,) = make_due(1)
    past.refresh_from_db()
    address = f"/admin/articles/article/{past.pk}/change/"
    form = open_form(client, address, "article_form")
    response = client.post(address, {**form, "title": "Saved after its instant"})

    assert response.status_code == 302
    past.refresh_from_db()
    assert past.title == "Saved after its instant"


def test_stray_parts_of_a_second_make_nothing_late():
    at = (database_now() + timedelta(hours=1)).replace(microsecond=120_007)

    services.publish_article(make_approved_edition(), at=at)

    assert Instant.objects.get(at__gt=database_now()).at == at
    assert Edition.objects.visible(at).count() == 1
    assert Edition.objects.visible(at - timedelta(microseconds=1)).count() == 0
