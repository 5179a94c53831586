"""The settings of the tests: those of development, on the server that TEST_DATABASE_URL names or conftest.py starts."""

import os

os.environ["PLENUM_ENV"] = "test"
os.environ["PLENUM_SECRET_KEY"] = "a secret of the tests, which everybody may know and nothing depends on"
os.environ.pop("DATABASE_URL", None)
if "TEST_DATABASE_URL" in os.environ:
    os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]

from config.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # Fast, and worthless outside of tests.
STORAGES["default"] = {"BACKEND": "django.core.files.storage.InMemoryStorage"}  # noqa: F405
