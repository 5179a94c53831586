"""The private server: it lives while anybody uses it, and no kill costs anything that was committed."""

import os
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import psutil
import psycopg
import pytest

from config import database, postgres
from tests.config.servers import (
    User,
    address,
    made_folder,
    make_template,
    owner,
    read,
    servers,
    using,
    wait_until,
    write,
)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    return make_template(tmp_path_factory.mktemp("template") / "data")


@pytest.fixture
def folder(tmp_path, template):
    return made_folder(tmp_path / "data", template)


def test_server_starts_for_its_first_user_and_has_stopped_when_the_last_is_gone(tmp_path):
    folder = tmp_path / "new" / "data"
    told = []
    with database.borrowed(folder, tell=told.append) as loan:
        write(loan.url, 1)
        assert servers(folder)
        assert database.published_url(folder) == loan.url
    assert told == ["Making the database."]
    assert servers(folder) == []
    assert database.published_url(folder) is None
    assert not database.is_kept(folder)
    with database.borrowed(folder, tell=told.append) as loan:
        assert read(loan.url) == [1]
    assert told == ["Making the database."]


def test_database_sorts_by_code_point_and_what_it_has_acknowledged_is_safe(folder):
    with database.borrowed(folder) as loan, psycopg.connect(loan.url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute(f"show {setting}").fetchone() == ("on",)
        provider, locale, encoding = connection.execute(
            "select datlocprovider, datlocale, pg_encoding_to_char(encoding) from pg_database"
            " where datname = current_database()"
        ).fetchone()
        assert (provider, locale, encoding) == ("b", "C.UTF-8", "UTF8")
        assert connection.execute("select upper('é'), 'Z' < 'a', current_setting('timezone')").fetchone() == (
            "É",
            True,
            "UTC",
        )


@pytest.mark.parametrize(
    "victims",
    [
        ["server"],
        ["keeper", "server"],
        pytest.param(["keeper"], marks=pytest.mark.long),
        pytest.param(["server", "children"], marks=pytest.mark.long),
    ],
)
def test_next_start_recovers_after_kill_9(folder, victims):
    with using(folder) as user:
        write(user.url(), 1)
        found = address(folder)
        children = psutil.Process(found["pid"]).children()
        targets = {"server": [found["pid"]], "keeper": [found["keeper"]], "children": [child.pid for child in children]}
        for victim in victims:
            for pid in targets[victim]:
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not psutil.pid_exists(found["keeper"]))
        first_folder = Path(found["socket_folder"])

        with using(folder) as second:
            url = second.url()
            assert read(url) == [1]
            assert not first_folder.exists()
            write(url, 2)
    assert servers(folder) == []
    with database.borrowed(folder) as loan:
        assert read(loan.url) == [1, 2]


def test_server_ends_when_its_only_user_is_killed(folder):
    user = User(folder)
    write(user.url(), 1)
    user.kill()
    wait_until(lambda: not database.is_kept(folder))
    assert servers(folder) == []
    with database.borrowed(folder) as loan:
        assert read(loan.url) == [1]


@pytest.mark.long
def test_server_survives_the_user_that_started_it_while_others_use_it(folder):
    with using(folder) as first:
        url = first.url()
        with using(folder) as second:
            assert second.url() == url
            assert first.leave()[0] == 0
            write(url, 1)
            assert read(url) == [1]
    assert servers(folder) == []


def test_server_survives_the_kill_of_the_user_that_started_it_while_others_use_it(folder):
    with using(folder) as first:
        url = first.url()
        with using(folder) as second:
            assert second.url() == url
            first.kill()
            write(url, 1)
            assert read(url) == [1]
    assert servers(folder) == []


def test_many_users_at_once_share_one_server(tmp_path):
    folder = tmp_path / "data"
    users = [User(folder) for _ in range(5)]
    urls = {user.url() for user in users}
    assert len(urls) == 1
    leaders = [process for process in servers(folder) if process.pid == address(folder)["pid"]]
    assert len(leaders) == 1
    assert [user.leave()[0] for user in users] == [0] * 5
    assert servers(folder) == []


@pytest.mark.long
def test_users_that_come_and_go_never_miss_a_server(folder):
    failures = []

    def come_and_go():
        for _ in range(4):
            try:
                with database.borrowed(folder, tell=lambda _: None) as loan, psycopg.connect(loan.url) as connection:
                    assert connection.execute("select 1").fetchone() == (1,)
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=come_and_go) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    wait_until(lambda: servers(folder) == [])


def test_sigterm_to_the_keeper_shuts_the_server_down_in_order(folder):
    with using(folder) as user:
        write(user.url(), 1)
        os.kill(address(folder)["keeper"], signal.SIGTERM)
        wait_until(lambda: not database.is_kept(folder))
    log = (folder / "postgres.log").read_text()
    assert "received fast shutdown request" in log
    assert log.rstrip().endswith("database system is shut down")


def test_pid_file_that_names_a_living_stranger_is_no_server(folder):
    """Numbers of processes are used again: ours, here, would make PostgreSQL refuse."""
    stale = folder / "postgres" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{folder / 'postgres'}\n1700000000\n{postgres.PORT}\n/gone\n\n  1 1\nready   \n")
    with database.borrowed(folder) as loan:
        write(loan.url, 1)
        assert read(loan.url) == [1]


def test_folder_may_have_any_name_and_a_long_path(tmp_path, template):
    folder = made_folder(tmp_path / "with a space & 'quotes' $HOME é" / "/".join(["deep"] * 60), template)
    with database.borrowed(folder) as loan:
        write(loan.url, 1)
        assert read(loan.url) == [1]
    assert servers(folder) == []


def test_socket_is_for_nobody_else_and_no_port_is_open(folder):
    with database.borrowed(folder):
        found = address(folder)
        uid, _, mode = owner(Path(found["socket_folder"]))
        assert (uid, mode & 0o777) == (os.geteuid(), 0o700)
        assert psutil.Process(found["pid"]).net_connections("inet") == []
    assert not Path(found["socket_folder"]).exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root changes accounts; the next test is for others")
def test_root_runs_the_server_as_another_account_and_no_folder_changes_hands(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    before = [owner(path) for path in (folder, *folder.parents)]
    with database.borrowed(folder):
        server = psutil.Process(address(folder)["pid"])
        assert 0 not in server.uids()
        assert 0 not in server.gids()
        status = Path(f"/proc/{server.pid}/status").read_text()
        assert "CapEff:\t0000000000000002" in status  # dac_override, and nothing else
        assert "CapBnd:\t0000000000000002" in status
        assert "NoNewPrivs:\t1" in status
    assert [owner(path) for path in (folder, *folder.parents)] == before


@pytest.mark.skipif(os.geteuid() != 0, reason="without root, every other test here runs as a plain account")
def test_plain_account_runs_the_server_itself(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    # It may read our checkout, wherever that is; nothing else distinguishes it from any account.
    plain = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    plain += ["--inh-caps=-all,+dac_read_search,+dac_override", "--ambient-caps=-all,+dac_read_search,+dac_override"]
    with using(folder, before=plain) as user:
        user.url()
        found = address(folder)
        assert psutil.Process(found["pid"]).uids().real == 65534
        os.kill(found["keeper"], signal.SIGKILL)
        wait_until(lambda: servers(folder) == [])
    assert owner(folder)[0] == 65534


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (
            lambda data: (data / "PG_VERSION").write_text("19\n"),
            "was made by PostgreSQL 19 and this Plenum runs 18: use the Plenum that made it",
        ),
        (lambda data: (data / "PG_VERSION").write_text("17\n"), "was made by PostgreSQL 17 and this Plenum runs 18"),
        (lambda data: (data / "plenum.json").unlink(), "was not made by Plenum: set DATABASE_URL"),
        (lambda data: (data / "PG_VERSION").unlink(), "holds something that is no database: move it away"),
        (lambda data: (data / "global" / "pg_control").unlink(), "PostgreSQL does not start: "),
    ],
)
def test_folder_that_is_not_ours_is_refused_in_one_sentence_and_left_alone(folder, spoil, sentence):
    data = folder / "postgres"
    spoil(data)
    before = sorted(path.relative_to(data) for path in data.rglob("*"))
    with using(folder) as user:
        code, said = user.leave()
    assert code == 1
    assert sentence in said
    assert said.strip().count("\n") == 0
    assert sorted(path.relative_to(data) for path in data.rglob("*")) == before
    assert servers(folder) == []


def test_folder_that_a_killed_start_left_half_made_is_made_anew(tmp_path):
    folder = tmp_path / "data"
    (folder / "postgres.new-1").mkdir(parents=True)
    (folder / "postgres.new-1" / "PG_VERSION").write_text("18\n")
    with database.borrowed(folder) as loan:
        write(loan.url, 1)
    assert not (folder / "postgres.new-1").exists()


def test_data_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "data").write_text("")
    with using(tmp_path / "data") as user:
        code, said = user.leave()
    assert (code, said) == (1, f"The data folder {tmp_path / 'data'} cannot be used: File exists.\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount the small disk that this test fills")
def test_full_disk_is_refused_in_one_sentence_and_nothing_is_lost(tmp_path, template):
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=120m", "none", str(disk)], check=True)
    try:
        folder = made_folder(disk / "data", template)
        with database.borrowed(folder) as loan:
            write(loan.url, 1)
        filler = disk / "filler"
        with filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free)
        with using(folder) as user:
            code, said = user.leave()
        assert servers(folder) == []
        assert code == 1
        assert "disk is full" in said or "No space left on device" in said
        assert said.strip().count("\n") == 0
        filler.unlink()
        with database.borrowed(folder) as loan:
            assert read(loan.url) == [1]
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
