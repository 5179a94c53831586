"""A consumer that follows the feed ends with exactly what is public, whoever writes, and however late they commit."""

import random
import threading
import time
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.db.utils import OperationalError

from catalog.models import Manufacturer
from core.api.keyset import fingerprint
from core.feed import rest
from core.feed.models import Change, Epoch
from core.feed.services import ensure_epoch
from tests.core.feed.following import CHANGES, Follower, instant, settle

pytestmark = pytest.mark.django_db(transaction=True)


def make_manufacturer(n, **fields):
    return Manufacturer.objects.create(**{"slug": f"maker-{n}", "name": f"Maker {n}", **fields})


class ByUpdatedAt:
    """A consumer that follows (updated_at, id), as many do: it is known to lose rows."""

    def __init__(self):
        self.position = None
        self.copy = set()

    def poll(self):
        rows = Manufacturer.objects.order_by("updated_at", "id")
        if self.position is not None:
            at, pk = self.position
            rows = rows.filter(Q(updated_at__gt=at) | Q(updated_at=at, id__gt=pk))
        for row in rows:
            self.copy.add(row.slug)
            self.position = (row.updated_at, row.pk)


@contextmanager
def in_thread(work):
    """Run `work` in a thread with a connection of its own; what it raises is raised here."""
    errors = []

    def run():
        try:
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(60)
    assert not errors, errors


@contextmanager
def open_transaction(write):
    """Keep a transaction of somebody else open, after `write`, and commit it at the end of the block."""
    written, done = threading.Event(), threading.Event()

    def work():
        with transaction.atomic():
            write()
            written.set()
            done.wait(60)

    with in_thread(work):
        assert written.wait(60)
        try:
            yield
        finally:
            done.set()


def public(kind_model=Manufacturer):
    return {str(row.pk): row.name for row in kind_model.objects.all()}


def copied(follower):
    return {pk: record["name"] for pk, record in follower.of("manufacturer").items()}


def test_what_commits_late_arrives_and_a_cursor_of_updated_at_would_have_lost_it(client):
    follower, naive = Follower(client), ByUpdatedAt()
    follower.catch_up()
    naive.poll()
    with open_transaction(lambda: make_manufacturer("late")):
        make_manufacturer("early")
        for _ in range(3):
            assert follower.poll() == []  # Behind the open transaction nothing is safe yet.
            naive.poll()
    settle()
    follower.catch_up()
    naive.poll()
    assert {record["slug"] for record in follower.of("manufacturer").values()} == {"maker-late", "maker-early"}
    assert naive.copy == {"maker-early"}, "The test no longer bites: the naive cursor lost nothing."


def test_many_writers_who_commit_late_change_delete_and_roll_back(client):
    makers = [make_manufacturer(n) for n in range(12)]
    follower = Follower(client, f"{CHANGES}?limit=200")
    stop = threading.Event()

    def writer(seed):
        chance = random.Random(seed)

        def work():
            for n in range(25):
                try:
                    with transaction.atomic():
                        for _ in range(chance.randint(1, 3)):
                            match chance.randint(0, 3):
                                case 0:
                                    make_manufacturer(f"{seed}-{n}-{chance.random()}".replace(".", "-"))
                                case 1:
                                    Manufacturer.objects.filter(pk=makers[chance.randrange(9)].pk).update(
                                        name=f"Renamed {chance.random()}"
                                    )
                                case 2:  # Bulk, and in raw SQL.
                                    with connection.cursor() as cursor:
                                        cursor.execute(
                                            "update catalog_manufacturer set name = name || '!' where id = %s",
                                            [makers[9 + seed % 3].pk],
                                        )
                                case 3:
                                    Manufacturer.objects.filter(slug__startswith=f"maker-{seed}-{n - 1}-").delete()
                        time.sleep(chance.random() * 0.02)
                        if chance.random() < 0.25:
                            raise ZeroDivisionError
                except (
                    ZeroDivisionError,
                    OperationalError,
                ):  # Two writers may meet in a deadlock: that one is rolled back.
                    pass

        return work

    def all_writers():
        threads = [threading.Thread(target=run_closing(writer(seed))) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stop.set()

    def run_closing(work):
        def run():
            try:
                work()
            finally:
                connection.close()

        return run

    polls = 0
    with in_thread(all_writers):
        while not stop.is_set():
            follower.look()  # As fast as it can, so that it is always close behind those who write.
            polls += 1
    settle()
    while follower.look():
        pass
    for change in follower.seen:
        follower.take_over(change)
    assert polls > 5
    assert copied(follower) == public()
    positions = list(Change.objects.order_by("xid", "id").values_list("object_id", "change_kind"))
    assert [(change["id"], change["change_kind"]) for change in follower.seen] == [
        (str(pk), kind) for pk, kind in positions
    ], "Each change once, in the order of the feed."


def test_two_commits_in_one_second_with_a_poll_between(client):
    follower = Follower(client)
    follower.catch_up()
    for n in range(2):
        make_manufacturer(n, updated_at=Now())
        settle()
        assert [change["change_kind"] for change in follower.catch_up()] == ["upsert"]
    assert copied(follower) == public()


def test_a_rollback_leaves_a_gap_and_no_change(client):
    follower = Follower(client)
    follower.catch_up()
    with transaction.atomic():
        make_manufacturer("never")
        transaction.set_rollback(True)
    make_manufacturer("kept")
    settle()
    follower.catch_up()
    assert list(copied(follower).values()) == ["Maker kept"]


def test_a_consumer_goes_on_after_a_restart_of_either_side(client):
    for n in range(5):
        make_manufacturer(n)
    settle()
    before = Follower(client, f"{CHANGES}?limit=3&kind=manufacturer")
    before.poll()
    connection.close()  # The server began anew,
    after = Follower(client, before.next)  # and so did the consumer, with what it had stored.
    after.copy = before.copy
    make_manufacturer("later")
    settle()
    after.catch_up()
    assert copied(after) == public()
    assert len(before.seen) + len(after.seen) == 6


@pytest.mark.parametrize("sign", ["another cluster", "fewer transactions than the feed has seen"])
def test_a_restore_begins_an_epoch_and_old_cursors_are_gone(client, sign):
    make_manufacturer("kept")
    settle()
    follower = Follower(client, f"{CHANGES}?kind=manufacturer")
    follower.catch_up()
    old = follower.page
    assert ensure_epoch() is False  # Starting again is no restore.

    if sign == "another cluster":
        Epoch.objects.update(system_identifier="1")
    else:
        Change.objects.filter(kind="manufacturer").update(xid=str(10**15))
        assert client.get(f"{CHANGES}?kind=manufacturer").json()["results"] == []
    assert ensure_epoch() is True

    response = client.get(old["next"])
    assert response.status_code == 410
    problem = response.json()
    assert [(error["field"], error["code"]) for error in problem["errors"]] == [("cursor", "cursor_of_other_epoch")]
    anew = Follower(client, problem["restart"])
    assert anew.next == f"http://testserver{CHANGES}?kind=manufacturer"
    anew.catch_up()
    make_manufacturer("after")
    settle()
    anew.catch_up()
    assert copied(anew) == public()
    assert anew.page["epoch"] != old["epoch"]


@pytest.mark.django_db
def test_tables_that_were_restored_from_a_dump_into_the_same_cluster_are_noticed():
    before = Epoch.objects.get()
    with connection.cursor() as cursor:  # As `pg_restore --clean` does.
        cursor.execute("create table restored (like feed_epoch including all)")
        cursor.execute("insert into restored select * from feed_epoch")
        cursor.execute("drop table feed_epoch")
        cursor.execute("alter table restored rename to feed_epoch")
    assert Epoch.objects.get().value == before.value
    assert ensure_epoch() is True
    assert Epoch.objects.get().value != before.value
    assert ensure_epoch() is False


def test_a_database_that_was_set_back_under_a_running_server_is_noticed(client):
    """The cursor names a position that this database has not reached."""
    settle()
    cursor = client.get(CHANGES).json()["cursor"]
    bound_to = fingerprint({"list": "changes", "kind": ""})
    position = rest.read_position(cursor, bound_to=bound_to)
    ahead = rest.Position(position.epoch, position.xid + 10**9, 5, position.issued_at, position.covered_to)
    response = client.get(CHANGES, {"cursor": rest.write_position(ahead, bound_to=bound_to)})
    assert response.status_code == 410
    assert response.json()["errors"][0]["code"] == "cursor_of_other_epoch"


def test_covered_to_stays_before_an_open_transaction_and_never_goes_back(client):
    follower = Follower(client)
    follower.catch_up()
    promised = instant(follower.page["covered_to"])
    with open_transaction(lambda: make_manufacturer("late")):
        make_manufacturer("early")
        follower.poll()
        held = follower.page
        assert promised <= instant(held["covered_to"])
        late = instant(held["covered_to"])
    settle()
    changes = follower.catch_up()
    assert [instant(change["at"]) >= late for change in changes] == [True, True]
    assert instant(follower.page["covered_to"]) > max(instant(change["at"]) for change in changes)
    assert 0 <= follower.page["lag_seconds"] < 30


def test_versions_go_on_after_a_restore(client):
    """A transaction whose number was used in the former life moves the version too."""
    make_manufacturer("before")
    tag = client.get("/api/v1/manufacturers/")["ETag"]
    with connection.cursor() as cursor:
        cursor.execute("select pg_snapshot_xmax(pg_current_snapshot())::text")
        (following,) = cursor.fetchone()
        cursor.execute(
            "insert into feed_version (kind, xid, n) select 'manufacturer', (%s::bigint + g)::text::xid8, 1"
            " from generate_series(-2, 200) g on conflict do nothing",
            [following],
        )
    assert ensure_epoch() is True
    tags = {tag, client.get("/api/v1/manufacturers/")["ETag"]}
    for n in range(3):
        make_manufacturer(n)
        tags.add(client.get("/api/v1/manufacturers/")["ETag"])
    assert len(tags) == 5
