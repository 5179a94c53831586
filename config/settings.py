"""The settings of Plenum, all read from the environment. The default of each is the safe value."""

import os
from pathlib import Path
from typing import Any

from corsheaders.defaults import default_headers
from django.core.exceptions import ImproperlyConfigured

from config import database, geometry, mail, site  # noqa: F401 - geometry acts when it is imported
from config.secret import kept_secret

# Reading the environment


def text(name: str, default: str = "") -> str:
    """Return the variable `name`, without the spaces around it."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    """Return the variable `name` as a truth value, written 1 or 0."""
    value = text(name, "1" if default else "0")
    if value not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} is {value!r}; write 1 or 0.")
    return value == "1"


def number(name: str, default: int) -> int:
    """Return the variable `name` as a whole number, 0 or more."""
    value = text(name, str(default))
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} is {value!r}; write a whole number.")
    return int(value)


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
PLENUM_RELEASE = "0.1.0"
# Behind a proxy: the scheme and host that clients see.
PLENUM_PUBLIC_URL = text("PLENUM_PUBLIC_URL").rstrip("/")
# The publication, and the site where people read it: https://example.org/{section}/{slug}.
PLENUM_PUBLICATION = text("PLENUM_PUBLICATION", "Plenum")
PLENUM_ARTICLE_URL = text("PLENUM_ARTICLE_URL")
if PLENUM_ARTICLE_URL and (fault := site.fault_of(PLENUM_ARTICLE_URL)):
    raise ImproperlyConfigured(f"PLENUM_ARTICLE_URL is {PLENUM_ARTICLE_URL!r}; {fault}")
PLENUM_SITE_URL = text("PLENUM_SITE_URL") or site.root_of(PLENUM_ARTICLE_URL)
# The page of that site that shows a preview: https://example.org/preview#{token}. It sends the token as a header.
PLENUM_PREVIEW_URL = text("PLENUM_PREVIEW_URL")
if PLENUM_PREVIEW_URL and (fault := site.fault_of_preview(PLENUM_PREVIEW_URL)):
    raise ImproperlyConfigured(f"PLENUM_PREVIEW_URL is {PLENUM_PREVIEW_URL!r}; {fault}")
# Whether feeds carry whole texts, or the sentence under the title.
PLENUM_FEED_FULL_TEXT = flag("PLENUM_FEED_FULL_TEXT", default=False)
if PRODUCTION and (
    missing := [name for name in ("PLENUM_SECRET_KEY", "PLENUM_ALLOWED_HOSTS", "DATABASE_URL") if not text(name)]
):
    raise ImproperlyConfigured(
        f"PLENUM_ENV=production needs {', '.join(missing)}: set what is missing (docs/operators.md says to what), "
        "or start with `make run`."
    )

# Secrets, hosts, transport

if PRODUCTION:
    SECRET_KEY = text("PLENUM_SECRET_KEY")
    if len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 5:
        raise ImproperlyConfigured("PLENUM_SECRET_KEY is too short to be a secret: write 50 random characters or more.")
else:
    SECRET_KEY = text("PLENUM_SECRET_KEY") or kept_secret(DATA_DIR)
ALLOWED_HOSTS = words("PLENUM_ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
HTTPS = flag("PLENUM_HTTPS", default=PRODUCTION)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 63_072_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = flag("PLENUM_HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS and HTTPS
# What speaks for the other names of a domain is for its owner to say, so Django's reminders of it are settled.
SILENCED_SYSTEM_CHECKS = [] if SECURE_HSTS_INCLUDE_SUBDOMAINS else ["security.W005", "security.W021"]
PLENUM_BEHIND_PROXY = flag("PLENUM_BEHIND_PROXY", default=False)
if PLENUM_BEHIND_PROXY:
    # Only where a proxy sets this header itself: else a client could claim to have come by HTTPS.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CSRF_TRUSTED_ORIGINS = [PLENUM_PUBLIC_URL] if PLENUM_PUBLIC_URL else []
CORS_ALLOWED_ORIGINS = words("PLENUM_CORS_ORIGINS")
CORS_ALLOW_HEADERS = [*default_headers, "if-none-match", "plenum-preview"]
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS", "POST"]
CORS_EXPOSE_HEADERS = ["ETag", "Link", "Cache-Tag"]
CORS_URLS_REGEX = r"^/(api/|graphql/)"

# What it is made of

INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "unfold.contrib.forms",
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
    "pgtrigger",
    "pghistory",
    "config",
    "core.api",
    "core.feed",
    "core.publishing",
    "core.notices",
    "core.facts",
    "core.media",
    "catalog",
    "sponsors",
    "simulator",
    "articles",
]
MIDDLEWARE = [
    "config.health.answer_health",  # First: who asks knows neither our name nor HTTPS.
    "config.metrics.answer_metrics",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "config.headers.HeadersMiddleware",
    "core.api.addresses.remember_request",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.slashes.SlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.history.name_account",
    "config.zones.activate_zone",
    "articles.preview_reads.answer_preview",  # Last: the transaction that it undoes holds the view and no more.
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
                "core.notices.pages.bell",
            ],
        },
    }
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

# The database

try:
    DATABASES: dict[str, Any] = {"default": database.configured(DATA_DIR, url=text("DATABASE_URL") or None)}
except ValueError as error:
    raise ImproperlyConfigured(str(error)) from None
# Connections live on; one that broke meanwhile is replaced before it is used.
DATABASES["default"] |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
DATABASES["default"]["OPTIONS"] = {
    "connect_timeout": 5,
    # The feed reaches as far as the oldest transaction of the cluster: one that idles would hold it up for all.
    "options": "-c idle_in_transaction_session_timeout=60s "
    f"-c statement_timeout={number('PLENUM_STATEMENT_SECONDS', 0)}s",
    # Prepared statements: 1.3 times the throughput of a list. A pooler that knows none needs 0.
    **({"server_side_binding": True, "prepare_threshold": 2} if flag("PLENUM_PREPARED", default=True) else {}),
} | DATABASES["default"]["OPTIONS"]

# Time, language

TIME_ZONE = "UTC"
USE_TZ = True
LANGUAGE_CODE = "en-gb"
FORMAT_MODULE_PATH = "config.formats"

# Files

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "static" if PRODUCTION else None
STATICFILES_DIRS = [folder for folder in [BASE_DIR / "frontend" / "admin" / "dist"] if folder.is_dir()]
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not PRODUCTION  # Elsewhere files are served from where they lie.
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
# At which widths, in pixels, an image is made ready for front-ends: PLENUM_RENDITION_WIDTHS=320,640.
try:
    PLENUM_RENDITION_WIDTHS = [int(width) for width in words("PLENUM_RENDITION_WIDTHS")] or [320, 640, 960, 1280, 1920]
except ValueError:
    raise ImproperlyConfigured("PLENUM_RENDITION_WIDTHS: write numbers between commas, such as 320,640.") from None
if not all(16 <= width <= 8192 for width in PLENUM_RENDITION_WIDTHS):
    raise ImproperlyConfigured("PLENUM_RENDITION_WIDTHS: a width lies between 16 and 8192 pixels.")
if bucket := text("PLENUM_S3_BUCKET"):
    # Where browsers find the media, where that is not where we put them.
    if not text("PLENUM_S3_PUBLIC_URL"):
        raise ImproperlyConfigured("PLENUM_S3_BUCKET needs PLENUM_S3_PUBLIC_URL: where browsers find what lies in it.")
    MEDIA_URL = text("PLENUM_S3_PUBLIC_URL").rstrip("/") + "/"
    scheme, _, place = MEDIA_URL.rstrip("/").partition("://")
    STORAGES["default"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": bucket,
            "endpoint_url": text("PLENUM_S3_ENDPOINT") or None,
            "region_name": text("PLENUM_S3_REGION") or None,
            "access_key": text("PLENUM_S3_ACCESS_KEY") or None,
            "secret_key": text("PLENUM_S3_SECRET_KEY") or None,
            "custom_domain": place or None,
            "url_protocol": f"{scheme or 'https'}:",
            "querystring_auth": False,  # Media are public, and an address that changes cannot be cached.
            "file_overwrite": False,
            # A name holds the hash of its bytes, so whoever has them may keep them.
            "object_parameters": {"CacheControl": "public, max-age=31536000, immutable"},
        },
    }

# E-mail: notices and invitations, where somebody says which server takes them. config/mail.py reads the address.

PLENUM_MAIL = bool(text("PLENUM_EMAIL_URL"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = text("PLENUM_EMAIL_FROM", "plenum@localhost")
EMAIL_TIMEOUT = 10
if PLENUM_MAIL:
    if missing := [name for name in ("PLENUM_EMAIL_FROM", "PLENUM_PUBLIC_URL") if not text(name)]:
        raise ImproperlyConfigured(f"PLENUM_EMAIL_URL needs {', '.join(missing)}: who writes, and where links lead.")
    try:
        globals().update(mail.configured(text("PLENUM_EMAIL_URL")))
    except ValueError as error:
        raise ImproperlyConfigured(f"PLENUM_EMAIL_URL: {error}") from None
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

# The cache: in each process, or shared. Whether an answer is right never depends on it.

CACHES: dict[str, Any] = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
if redis_url := text("PLENUM_REDIS_URL"):
    CACHES["default"] = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": redis_url}

# The history of the catalogue and of facts: core/api/history.py. An event bears the instant of its statement, not of
# its transaction, which may have begun before another one whose events stand before it.

PGHISTORY_CREATED_AT_FUNCTION = "clock_timestamp()"

# What browsers may do with a page. config/headers.py has the pages that need more.

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {name: ["'none'"] for name in ("default-src", "base-uri", "form-action", "frame-ancestors")}
}

# The admin: its pages are composed in config/desk.py

UNFOLD = {
    "SITE_TITLE": "Plenum",
    "SITE_HEADER": "Plenum",
    "SITE_SYMBOL": "dns",
    "SITE_URL": None,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": "config.desk.icon"}],
    "SHOW_VIEW_ON_SITE": False,
    "STYLES": ["config.desk.style"],
    "SCRIPTS": ["config.desk.script"],
    "DASHBOARD_CALLBACK": "config.desk.dashboard",
    "SIDEBAR": {"show_search": True, "navigation": "config.desk.navigation"},
    "COLORS": {
        "primary": {
            "50": "oklch(98% .012 230)",
            "100": "oklch(95% .025 230)",
            "200": "oklch(90% .05 230)",
            "300": "oklch(83% .09 232)",
            "400": "oklch(74% .13 234)",
            "500": "oklch(65% .14 237)",
            "600": "oklch(52% .13 240)",
            "700": "oklch(46% .12 242)",
            "800": "oklch(39% .10 243)",
            "900": "oklch(33% .08 245)",
            "950": "oklch(24% .06 248)",
        },
    },
}
LOGIN_REDIRECT_URL = "admin:index"
PLENUM_USERS = "core.publishing.references.users_of"
PLENUM_UNUSED = "core.publishing.references.unused"
PLENUM_WHERE_USED = "core.publishing.references.where_used"

# The public API

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "EXCEPTION_HANDLER": "core.api.errors.problem_response",
    "DEFAULT_SCHEMA_CLASS": "core.api.openapi.ApiSchema",
    "DEFAULT_METADATA_CLASS": None,  # OPTIONS tells nothing that the OpenAPI document does not.
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Plenum",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "core.api.openapi.add_shared"],
    "ENUM_NAME_OVERRIDES": {"ScenarioKindEnum": "simulator.about.KIND_CHOICES"},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}
# Whether the schema may be asked for; the file schema.graphql says the same.
PLENUM_GRAPHQL_INTROSPECTION = flag("PLENUM_GRAPHQL_INTROSPECTION", default=not PRODUCTION)
# A folder of .graphql files that clients may ask for by GET, by the SHA-256 of each.
PLENUM_GRAPHQL_DOCUMENTS = text("PLENUM_GRAPHQL_DOCUMENTS")
PLENUM_FOUR_EYES = flag("PLENUM_FOUR_EYES", default=False)
PLENUM_EXPLANATIONS = "config.explanations.articles_explaining"

# Who may read /metrics: whoever sends this token. Without one nobody, but in development.
PLENUM_METRICS_TOKEN = text("PLENUM_METRICS_TOKEN")

# What we say, and where: everything to standard error, for whoever runs us to keep.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"hide_tokens": {"()": "config.logs.HideTokens"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["hide_tokens"]}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING"},
        "django.request": {"level": "ERROR", "filters": ["hide_tokens"]},
        "core.feed": {"level": "INFO"},  # How late instants were told.
    },
}
