"""docker-compose.yml, read by the program that would run it. No engine is needed for that."""

import subprocess

import pytest
import yaml

from tests.config.servers import ROOT, plain_environment

CHOSEN = {
    "PLENUM_SECRET_KEY": "chosen-secret",
    "PLENUM_ALLOWED_HOSTS": "plenum.example",
    "POSTGRES_PASSWORD": "chosen-password",
    "PLENUM_S3_SECRET_KEY": "chosen-s3-secret",
}

pytestmark = pytest.mark.needs("docker-compose")


def config(environment):
    return subprocess.run(
        ["docker-compose", "--file", str(ROOT / "docker-compose.yml"), "config"],
        env=plain_environment(**environment),
        capture_output=True,
        text=True,
    )


def test_compose_file_has_web_worker_database_and_storage():
    run = config(CHOSEN)
    assert run.returncode == 0, run.stderr
    services = yaml.safe_load(run.stdout)["services"]
    assert {"web", "worker", "postgres", "storage"} <= services.keys()
    assert services["postgres"]["image"] == "postgres:18"
    for name in ("web", "worker", "migrate"):
        environment = services[name]["environment"]
        assert environment["PLENUM_ENV"] == "production"
        assert environment["DATABASE_URL"] == "postgresql://plenum:chosen-password@postgres:5432/plenum"
        assert environment["PLENUM_S3_ENDPOINT"] == "http://storage:8333"
        assert environment["PLENUM_S3_SECRET_KEY"] == "chosen-s3-secret"
    # Nothing but what ends TLS, on this machine, reaches us.
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports
    assert all(str(port).startswith("127.0.0.1:") for port in ports)


@pytest.mark.parametrize("name", sorted(CHOSEN))
def test_compose_file_refuses_what_was_not_chosen(name):
    run = config({each: value for each, value in CHOSEN.items() if each != name})
    assert run.returncode != 0
    assert name in run.stderr
