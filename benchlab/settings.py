"""Settings, from environment variables only (docs/reference/environment.md)."""

from __future__ import annotations

import secrets
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.utils.translation import gettext_lazy as _
from redis.backoff import NoBackoff
from redis.retry import Retry
from whitenoise.compress import Compressor

from benchlab.env import (
    database_from_url,
    env_bool,
    env_choice,
    env_int,
    env_list,
    env_networks,
    env_secret,
    env_str,
)
from benchlab.local.layout import artifact_dir, default_database_url, default_redis_url
from benchlab.version import VERSION as VERSION

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = Path(env_str("BENCHLAB_HOME", str(BASE_DIR / "var"))).resolve()


def _kept_secret(name: str) -> str:
    """Return a secret of the environment, or one created once in BENCHLAB_HOME, mode 0600."""
    given = env_secret(name)
    if given:
        return given
    path = HOME / "secrets" / name.lower()
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.touch(mode=0o600)
        fresh.write_text(_fresh_secret(name))
        fresh.rename(path)
    return path.read_text().strip()


def _fresh_secret(name: str) -> str:
    if name == "BENCHLAB_ENCRYPTION_KEYS":
        from cryptography.fernet import Fernet

        return Fernet.generate_key().decode()
    return secrets.token_urlsafe(48)


# --- Core ----------------------------------------------------------------------------------------
SECRET_KEY = _kept_secret("SECRET_KEY")
BENCHLAB_ENCRYPTION_KEYS = _kept_secret("BENCHLAB_ENCRYPTION_KEYS").split(",")
DEBUG = env_bool("DEBUG", False)
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "*")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")
ROOT_URLCONF = "benchlab.urls"
WSGI_APPLICATION = "benchlab.wsgi.application"
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

INSTALLED_APPS = [
    "django.forms",  # templates of widgets for FORM_RENDERER
    "apps.accounts",  # before Django's apps, whose commands it replaces
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_filters",
    "django_celery_beat",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "apps.common",
    "apps.inventory",
    "apps.tuning",
    "apps.plans",
    "apps.blobs",
    "apps.runs",
    "apps.results",
    "apps.execution",
    "apps.analysis",
    "apps.imports",
    "apps.search",
    "apps.reports",
    "apps.alerts",
    "benchlab",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "apps.common.web.compression.Compression",
    "apps.common.web.middleware.security_headers",
    "apps.common.web.middleware.caller_address",
    "apps.common.web.middleware.ProbesAreNobody",
    "apps.common.web.middleware.PageMethods",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "benchlab.upload_limit.UploadLimit",  # before anything reads a form
    "django.middleware.csrf.CsrfViewMiddleware",
    "apps.accounts.middleware.SessionIdleTimeoutMiddleware",
    "apps.accounts.middleware.PreferencesMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "apps.common.web.middleware.TakenNames",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "apps.common.web.context.product",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# --- Data ----------------------------------------------------------------------------------------
DATABASES = {"default": database_from_url(env_str("DATABASE_URL") or default_database_url(HOME))}
DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
# Seconds until an unreachable database is reported (DATABASE_URL may override it).
DATABASES["default"]["OPTIONS"].setdefault("connect_timeout", 3)
# Milliseconds after which an unresponsive server's connection is closed.
DATABASES["default"]["OPTIONS"].setdefault("tcp_user_timeout", 10_000)
# The storage of new raw output (STORAGES).
ARTIFACT_STORE = env_choice("BENCHLAB_ARTIFACT_STORE", "postgresql", "files", "s3")
# Months of retention, 0 for ever (docs/operations/retention.md).
AUDIT_RETENTION_MONTHS = env_int("BENCHLAB_AUDIT_RETENTION_MONTHS", 0)
DOWNSAMPLE_AFTER_MONTHS = env_int("BENCHLAB_DOWNSAMPLE_AFTER_MONTHS", 0)
RAW_RETENTION_MONTHS = env_int("BENCHLAB_RAW_RETENTION_MONTHS", 0)
REDIS_URL = env_str("REDIS_URL") or default_redis_url(HOME)
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "TIMEOUT": 600,
        "KEY_PREFIX": "cache",
        "OPTIONS": {
            "serializer": "apps.common.cache.JsonSerializer",
            "socket_timeout": 0.5,
            "socket_connect_timeout": 0.5,
            "retry": Retry(NoBackoff(), 0),
        },
    }
}

# --- Language and time ---------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- Static files --------------------------------------------------------------------------------
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = HOME / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "apps.common.web.storage.ModuleStaticFilesStorage"},
    "artifacts-postgresql": {
        "BACKEND": "apps.blobs.services.storages.postgresql.PostgresqlStorage"
    },
    "artifacts-files": {
        "BACKEND": "apps.blobs.services.storages.filesystem.DurableFileStorage",
        "OPTIONS": {"location": artifact_dir(HOME)},
    },
    "artifacts-s3": {
        "BACKEND": "apps.blobs.services.storages.s3.OwnedS3Storage",
        "OPTIONS": {
            "bucket_name": env_str("BENCHLAB_S3_BUCKET"),
            "endpoint_url": env_str("BENCHLAB_S3_ENDPOINT") or None,
            "location": env_str("BENCHLAB_S3_PREFIX").strip("/"),
            "file_overwrite": True,
            "default_acl": None,
            "max_memory_size": 4 << 20,
        },
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
# Source maps are read by developers only.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
WHITENOISE_ROOT = BASE_DIR / "static" / "root"  # requested by browsers without a link

# --- Security ------------------------------------------------------------------------------------
CSRF_FAILURE_VIEW = "apps.common.web.pages.csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env_bool("BENCHLAB_HTTPS", False)
SECURE_SSL_REDIRECT = False
if env_bool("BENCHLAB_HTTPS", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
# The proxy that ends TLS redirects to it, and only the owner of the domain can speak for the rest
# of it: redirect (W008), subdomains (W005) and preloading (W021) are theirs.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
BENCHLAB_TRUSTED_PROXIES = env_networks("BENCHLAB_TRUSTED_PROXIES")
# Sessions expire this long after their last use (apps.accounts.middleware).
SESSION_COOKIE_AGE = env_int("BENCHLAB_SESSION_IDLE_MINUTES", 720) * 60
# Share links of reports, readable without a login.
SHARE_LINKS = env_bool("BENCHLAB_SHARE_LINKS", True)
# benchlab's URL in links of notifications.
PUBLIC_URL = env_str("BENCHLAB_PUBLIC_URL")
# Inner networks that webhooks may reach, besides public addresses.
WEBHOOK_NETWORKS = env_networks("BENCHLAB_WEBHOOK_NETWORKS")
_smtp = urlsplit(env_str("EMAIL_URL"))
EMAIL_HOST = _smtp.hostname or ""
EMAIL_USE_SSL, EMAIL_USE_TLS = _smtp.scheme == "smtps", _smtp.scheme == "smtp+tls"
EMAIL_PORT = _smtp.port or (465 if EMAIL_USE_SSL else 587 if EMAIL_USE_TLS else 25)
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_smtp.username or ""), unquote(_smtp.password or "")
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env_str("DEFAULT_FROM_EMAIL", "benchlab@localhost")
BENCHLAB_TOKEN_DAYS = env_int("BENCHLAB_TOKEN_DAYS", 90)
BENCHLAB_TOKEN_MAX_DAYS = env_int("BENCHLAB_TOKEN_MAX_DAYS", 365)
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# --- REST ----------------------------------------------------------------------------------------
# Our token table replaces knox's, which its migrations would create as well.
MIGRATION_MODULES = {"knox": None}
KNOX_TOKEN_MODEL = "accounts.ApiToken"
REST_KNOX = {"TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Token", "TOKEN_MODEL": KNOX_TOKEN_MODEL}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "apps.accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["apps.accounts.permissions.RolePermission"],
    "DEFAULT_PARSER_CLASSES": ["apps.common.api.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "apps.common.api.pagination.NewestFirst",
    "DEFAULT_SCHEMA_CLASS": "apps.common.api.schema.BenchlabSchema",
    "DEFAULT_VERSIONING_CLASS": "rest_framework.versioning.NamespaceVersioning",
    "DEFAULT_VERSION": "v1",
    "EXCEPTION_HANDLER": "apps.common.api.errors.api_exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "benchlab",
    "DESCRIPTION": (
        "Define, run, store and compare storage benchmarks. Bandwidth is in bytes per second, IOPS "
        "in operations per second, latency in nanoseconds, sizes in bytes, durations in seconds, "
        "times in UTC."
    ),
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "GET_LIB_DOC_EXCLUDES": "apps.common.api.schema.inner_docs",
    "ENUM_NAME_OVERRIDES": {
        "RunState": "apps.runs.models.RunState",
        "CaseState": "apps.runs.models.CaseState",
        "AttemptState": "apps.runs.models.AttemptState",
        "ImportState": "apps.imports.models.ImportState",
        "ExpectedMetric": "apps.plans.api.expectations.METRIC_NAMES",
        "ExpectationSource": "apps.plans.api.expectations.SOURCE_NAMES",
        "ImportFileState": "apps.imports.models.FileState",
        "ExpectationVerdict": "apps.results.api.expectations.VERDICTS",
        "ComparisonVerdict": "apps.analysis.api.comparisons.VERDICTS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "apps.common.api.schema.document_errors",
    ],
}

# --- Tasks ---------------------------------------------------------------------------------------
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://").replace(
    "?db=", "?virtual_host="
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2}
CELERY_TIMEZONE = "UTC"
# Users' schedules are rows. A message that no worker took within the hour expires.
CELERY_BEAT_SCHEDULE = {
    "evaluate and send alerts": {
        "task": "alerts.evaluate",
        "schedule": 60,
        "options": {"expire_seconds": 55},
    },
} | {
    f"retention of {app}": {
        "task": f"{app}.retention",
        "schedule": 24 * 3600,
        "options": {"expire_seconds": 3600},
    }
    for app in ("accounts", "alerts", "imports", "inventory", "reports", "results", "runs")
}

# --- Execution -----------------------------------------------------------------------------------
BENCHLAB_LEASE_SECONDS = env_int("BENCHLAB_LEASE_SECONDS", 15)
BENCHLAB_RECONCILE_SECONDS = env_int("BENCHLAB_RECONCILE_SECONDS", 3)
BENCHLAB_CRASH_POINT = env_str("BENCHLAB_CRASH_POINT")

# --- Imports -------------------------------------------------------------------------------------
BENCHLAB_IMPORT_MAX_MIB = env_int("BENCHLAB_IMPORT_MAX_MIB", 256)
# A folder is sent as one form with a file field and a path per file.
DATA_UPLOAD_MAX_NUMBER_FILES = 10_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 25_000

# --- Logs ----------------------------------------------------------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {
            "()": "apps.common.logs.Plain",
            "format": "%(asctime)s %(levelname)s %(name)s%(about)s %(message)s",
        },
        "json": {"()": "apps.common.logs.Json"},
    },
    "filters": {
        "ids": {"()": "apps.common.logs.Ids"},
        "away": {"()": "apps.common.logs.Away"},
        "refusals": {"()": "apps.common.logs.Refusals"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": env_choice("BENCHLAB_LOG_FORMAT", "plain", "json"),
            "filters": ["ids", "away", "refusals"],
        }
    },
    "root": {"handlers": ["stderr"], "level": env_str("BENCHLAB_LOG_LEVEL", "INFO")},
    "loggers": {
        "asyncssh": {"level": "WARNING"},
        # Two lines per hint; the run logs its outcome.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
    },
}
