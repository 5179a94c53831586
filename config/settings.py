"""The settings of Plenum, all read from the environment. The default of each is the safe value."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config import database

# Reading the environment


def text(name: str, default: str | None = None) -> str:
    """Return the variable `name`; without a default, a missing one stops the start and says so."""
    value = os.environ.get(name, default)
    if value is None or (default is None and not value.strip()):
        raise ImproperlyConfigured(f"{name} is not set. PLENUM_ENV=production needs it; see docs/operators.md.")
    return value


def flag(name: str, *, default: bool) -> bool:
    """Return the variable `name` as a truth value, written 1 or 0."""
    value = os.environ.get(name, "1" if default else "0")
    if value not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} is {value!r}; write 1 or 0.")
    return value == "1"


def words(name: str) -> list[str]:
    """Return the variable `name` as a list: words between commas."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


# Where we run

BASE_DIR = Path(__file__).resolve().parent.parent
PLENUM_ENV = text("PLENUM_ENV", "production")
if PLENUM_ENV not in ("production", "development", "test"):
    raise ImproperlyConfigured(f"PLENUM_ENV is {PLENUM_ENV!r}; write production, development or test.")
PRODUCTION = PLENUM_ENV == "production"
DEBUG = False
DATA_DIR = database.data_dir()
SECRET_KEY = text("PLENUM_SECRET_KEY") if PRODUCTION else text("PLENUM_SECRET_KEY", "development only")
ALLOWED_HOSTS = words("PLENUM_ALLOWED_HOSTS") or (["localhost", "127.0.0.1", "[::1]"] if not PRODUCTION else [])
if PRODUCTION and not ALLOWED_HOSTS:
    raise ImproperlyConfigured("PLENUM_ALLOWED_HOSTS is not set: name the hosts that this server answers for.")

# What it is made of

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "corsheaders",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "strawberry_django",
    "procrastinate.contrib.django",
    "config",
    "core.api",
    "core.feed",
    "core.publishing",
    "core.facts",
    "core.media",
    "catalog",
    "sponsors",
    "simulator",
    "articles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# The database

try:
    DATABASES = {
        "default": database.configured(
            DATA_DIR, url=text("DATABASE_URL") if PRODUCTION else os.environ.get("DATABASE_URL")
        )
    }
except ValueError as error:
    raise ImproperlyConfigured(str(error)) from None

# Time, language, files

TIME_ZONE = "UTC"
USE_TZ = True
LANGUAGE_CODE = "en-gb"
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
STATICFILES_DIRS = [folder for folder in [BASE_DIR / "frontend" / "admin" / "dist"] if folder.is_dir()]

# The public API

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "EXCEPTION_HANDLER": "core.api.errors.problem_response",
    "DEFAULT_SCHEMA_CLASS": "core.api.openapi.ApiSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Plenum",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}
PLENUM_RELEASE = "0.1.0"
PLENUM_PUBLIC_URL = os.environ.get("PLENUM_PUBLIC_URL", "").rstrip(
    "/"
)  # Behind a proxy: scheme and host that clients see.
PLENUM_FOUR_EYES = flag("PLENUM_FOUR_EYES", default=False)
PLENUM_EXPLANATIONS = "config.explanations.articles_explaining"
CORS_ALLOWED_ORIGINS = words("PLENUM_CORS_ORIGINS")
