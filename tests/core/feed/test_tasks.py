"""What the worker does for the feed."""

from datetime import timedelta

import pytest
from django.db import connection

from articles import services
from core.feed import tasks
from core.feed.models import Change, Version
from core.feed.moment import read_moment
from core.publishing.services import database_now
from tests.core.feed.following import settle
from tests.factories import make_article, make_person


@pytest.mark.django_db(transaction=True)
def test_the_worker_announces_what_has_passed_and_folds_the_versions():
    article = make_article()
    edition = services.submit_article(article, by=make_person())
    services.review_article(edition, by=make_person(), verdict="approved")
    instant = database_now() + timedelta(seconds=1)
    services.publish_article(edition, at=instant)
    with connection.cursor() as cursor:
        cursor.execute("select pg_sleep(greatest(0, extract(epoch from %s - clock_timestamp())) + 0.001)", [instant])
        for n in range(201):  # More than 200 transactions make it worth while.
            cursor.execute("update catalog_section set description = %s where slug = 'power'", [str(n)])
    before = read_moment().versions
    settle()

    tasks.keep_feed(timestamp=0)

    assert list(Change.objects.filter(object_id=article.pk).values_list("change_kind", flat=True)) == ["upsert"]
    assert read_moment().versions == before
    assert Version.objects.filter(kind="section").count() < 10
