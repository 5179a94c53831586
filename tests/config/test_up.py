"""`manage.py up`, from an empty folder to its end, as a person at a terminal would have it."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress

import psutil
import psycopg
import pytest

from config import database, postgres
from config.address import AddressError, claimed, free_port
from tests.config.servers import (
    ROOT,
    address,
    living,
    made_folder,
    make_template,
    plain_environment,
    servers,
    unused_port,
    using,
    wait_until,
)

PASSWORD = re.compile(r"password (\S+) \(shown this once\)")
BESIDE = """
from django.contrib.auth import authenticate
from django.db import connection
print(connection.settings_dict["HOST"])
print(authenticate(username="admin", password=password))
"""


class Up:
    """A running `manage.py up`, in a session of its own as in a terminal of its own."""

    def __init__(self, folder, log):
        self.folder, self.port = folder, unused_port()
        self.url = f"http://localhost:{self.port}"
        self.log = log.open("w+")
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=plain_environment(PLENUM_DATA_DIR=str(folder), PORT=str(self.port), PYTHONWARNINGS="error"),
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def wait_until_up(self):
        wait_until(lambda: "Plenum is up." in self.said() or self.process.poll() is not None, seconds=300)
        assert self.process.poll() is None, self.said()
        return time.monotonic() - self.began

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as response:
            return json.loads(response.read())

    def family(self):
        """Return every process that it started."""
        found = address(self.folder)
        children = [psutil.Process(self.process.pid), *psutil.Process(self.process.pid).children(recursive=True)]
        return [*children, psutil.Process(found["keeper"]), *servers(self.folder)]

    def child(self, *words):
        """Return the child whose command has all of `words`."""
        [found] = [
            child
            for child in psutil.Process(self.process.pid).children()
            if all(word in " ".join(child.cmdline()) for word in words)
        ]
        return found

    def end(self, signum=signal.SIGTERM):
        self.process.send_signal(signum)
        return self.process.wait(60)

    def close(self):
        if self.process.poll() is None:
            self.end()
        self.log.close()


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Return a function that starts `up` on a folder; what still runs at the end of the module is ended."""
    begun = []

    def begin(folder):
        begun.append(Up(folder, tmp_path_factory.mktemp("log") / "up.log"))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


@pytest.fixture(scope="module")
def first_run(start, tmp_path_factory):
    """Run `up` on an empty folder, and end it while a command uses its database.

    Returns the folder, what `up` said, and how many migrations the command found after `up` had ended.
    """
    folder = tmp_path_factory.mktemp("a folder with spaces") / "data"
    running = start(folder)
    running.wait_until_up()
    with using(folder) as command:
        url = command.url()
        assert running.end(signal.SIGINT) == 0
        with psycopg.connect(url) as connection:
            [found] = connection.execute("select count(*) from django_migrations").fetchone()
    assert command.process.returncode == 0
    assert servers(folder) == []
    return folder, running.said(), found


@pytest.fixture(scope="module")
def used(first_run):
    """Return a folder in which `up` has run once, and what it said then."""
    return first_run[:2]


def dump(folder):
    """Return all that the database holds, but for the worker's notes on itself and on what it has looked through."""
    notes = ("--exclude-table=procrastinate_*", "--exclude-table=simulator_scenariocheck")
    with database.borrowed(folder, tell=lambda _: None) as loan:
        run = subprocess.run(
            [str(postgres.binary("pg_dump")), *notes, "--restrict-key=same", loan.url],
            capture_output=True,
            text=True,
            check=True,
        )
    return run.stdout


def run_command(folder, *words, **environment):
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=plain_environment(PLENUM_DATA_DIR=str(folder), **environment),
        capture_output=True,
        text=True,
    )


def test_port_that_is_taken_is_refused_in_one_sentence_before_anything_is_made(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        run = run_command(tmp_path / "data", "up", PORT=str(port))
    assert run.returncode == 1
    assert run.stderr.startswith(f"Port {port} is in use")
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("port", "sentence"),
    [
        ("http", "PORT is 'http': write a number from 1 to 65535.\n"),
        ("70000", "PORT is '70000': write a number from 1 to 65535.\n"),
        ("", "PORT is empty: write a number from 1 to 65535, or leave PORT out for 8000.\n"),
    ],
)
def test_port_that_is_no_port_is_refused_before_anything_is_made(tmp_path, port, sentence):
    run = run_command(tmp_path / "data", "up", PORT=port)
    assert (run.returncode, run.stderr) == (1, sentence)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("port", ["0", "-1", "1.5", "٣", " "])
def test_number_that_is_no_port_is_refused(port):
    with pytest.raises(AddressError, match="write a number from 1 to 65535"):
        free_port("127.0.0.1", port)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a..b", "203.0.113.1"])
def test_host_that_is_not_this_machine_is_refused(host):
    with pytest.raises(AddressError, match=re.escape(host)):
        free_port(host, "8000")


def test_second_claim_on_a_folder_names_the_address_of_the_first(tmp_path):
    folder = tmp_path / "data"
    port = str(unused_port())
    with claimed(folder, "127.0.0.1", port):
        for other in (port, "8000"):
            with pytest.raises(AddressError, match=f"runs already on .*, at http://localhost:{port}/: "):
                claimed(folder, "127.0.0.1", other).__enter__()
    with claimed(folder, "127.0.0.1", port):
        pass


def test_first_start_prepares_all_and_a_second_is_quick_and_changes_nothing(start, used):
    folder, said = used
    [password] = PASSWORD.findall(said)
    before = dump(folder)

    running = start(folder)
    seconds = running.wait_until_up()
    family = running.family()
    said = running.said()
    assert running.get("/health/ready") == {"status": "ok"}
    beside = run_command(folder, "shell", "-c", f"password = {password!r}" + BESIDE)
    assert beside.stdout.strip().splitlines()[-2:] == [address(folder)["socket_folder"], "admin"]
    second = run_command(folder, "up", PORT=str(unused_port()))
    assert (second.returncode, second.stdout, second.stderr.count("\n")) == (1, "", 1)
    assert second.stderr.startswith(f"Plenum runs already on the data folder {folder}, at {running.url}/: ")
    assert running.get("/health/ready") == {"status": "ok"}
    assert running.end() == 0

    assert seconds < (10 if os.getloadavg()[0] < os.cpu_count() else 30)
    for page in ("/admin/", "/graphql/", "/api/v1/docs/"):
        assert f":{running.port}{page}" in said
    assert PASSWORD.search(said) is None
    assert living(family) == []
    assert dump(folder) == before


def test_database_lives_on_for_a_command_that_uses_it_when_up_ends(first_run):
    _, said, found = first_run
    assert said.endswith("Stopped.\nA command still uses the database, which ends with it.\n")
    assert found > 0


@pytest.mark.long
def test_ctrl_c_ends_every_process(start, used):
    folder, _ = used
    running = start(folder)
    running.wait_until_up()
    family = running.family()
    os.killpg(running.process.pid, signal.SIGINT)  # As a terminal does, to all in the foreground.
    assert running.process.wait(60) == 0
    assert living(family) == []
    assert "Traceback" not in running.said()


@pytest.mark.long
@pytest.mark.parametrize(
    ("victim", "sentence"),
    [
        ("server", "The server was killed by SIGKILL"),
        ("worker", "The worker was killed by SIGKILL"),
        ("keeper", "The database ended"),
        ("postgres", "The database ended"),
        ("up", None),
        ("all", None),
    ],
)
def test_kill_9_of_any_ends_the_rest_and_the_next_start_recovers(start, used, victim, sentence):
    folder, _ = used
    running = start(folder)
    running.wait_until_up()
    family = running.family()
    found = address(folder)
    victims = {
        "server": [running.child("granian").pid],
        "worker": [running.child("procrastinate", "worker").pid],
        "keeper": [found["keeper"]],
        "postgres": [found["pid"]],
        "up": [running.process.pid],
        "all": [process.pid for process in family],
    }
    for pid in victims[victim]:
        with suppress(ProcessLookupError):  # The kernel ends some with their parent, before it is their turn.
            os.kill(pid, signal.SIGKILL)

    code = running.process.wait(60)
    wait_until(lambda: not living(family), seconds=60)
    if sentence is not None:
        assert code == 1
        assert sentence in running.said()
    assert "Traceback" not in running.said()
    again = start(folder)
    again.wait_until_up()
    assert again.get("/health/ready") == {"status": "ok"}
    assert again.end() == 0


@pytest.mark.long
def test_server_process_that_is_killed_is_replaced(start, used):
    folder, _ = used
    running = start(folder)
    running.wait_until_up()
    for process in running.child("granian").children():
        if "spawn_main" in " ".join(process.cmdline()):
            process.kill()

    def answers():
        try:
            return running.get("/health/ready") == {"status": "ok"}
        except OSError:
            return False

    wait_until(answers, seconds=60)
    assert running.process.poll() is None
    assert running.end() == 0


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount the small disk that this test fills")
def test_disk_that_fills_while_it_starts_ends_it_in_one_sentence(start, tmp_path):
    template = make_template(tmp_path / "template")
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100m", "none", str(disk)], check=True)
    try:
        folder = made_folder(disk / "data", template)
        filler = disk / "filler"
        with filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free - 4_000_000)
        begun = start(folder)
        assert begun.process.wait(120) == 1
        assert "isk" in begun.said()
        assert "full" in begun.said()
        assert "Traceback" not in begun.said()
        assert servers(folder) == []
        begun.close()
        filler.unlink()
        again = start(folder)
        again.wait_until_up()
        assert again.end() == 0
        again.close()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
