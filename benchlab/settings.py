"""Settings, from environment variables only (docs/reference/environment.md).

Lake, logging, REST API, sign-on and tasks have modules of their own: settings_lake etc.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.utils.translation import gettext_lazy
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
    env_str,
    env_url_template,
    secret_or_generated,
)
from benchlab.local.server_urls import artifact_dir, default_database_url, default_redis_url
from benchlab.settings_lake import LAKE as LAKE
from benchlab.settings_lake import LAKE_PEOPLE as LAKE_PEOPLE
from benchlab.settings_logging import LOGGING as LOGGING
from benchlab.settings_rest import KNOX_TOKEN_MODEL as KNOX_TOKEN_MODEL
from benchlab.settings_rest import MIGRATION_MODULES as MIGRATION_MODULES
from benchlab.settings_rest import REST_FRAMEWORK as REST_FRAMEWORK
from benchlab.settings_rest import REST_KNOX as REST_KNOX
from benchlab.settings_rest import SPECTACULAR_SETTINGS as SPECTACULAR_SETTINGS
from benchlab.settings_signon import ACCOUNT_ADAPTER as ACCOUNT_ADAPTER
from benchlab.settings_signon import ACCOUNT_EMAIL_VERIFICATION as ACCOUNT_EMAIL_VERIFICATION
from benchlab.settings_signon import BENCHLAB_MFA as BENCHLAB_MFA
from benchlab.settings_signon import BENCHLAB_OIDC_TOKEN_DAYS as BENCHLAB_OIDC_TOKEN_DAYS
from benchlab.settings_signon import BENCHLAB_PASSWORD_LOGIN as BENCHLAB_PASSWORD_LOGIN
from benchlab.settings_signon import MFA_ADAPTER as MFA_ADAPTER
from benchlab.settings_signon import MFA_SUPPORTED_TYPES as MFA_SUPPORTED_TYPES
from benchlab.settings_signon import MFA_TOTP_TOLERANCE as MFA_TOTP_TOLERANCE
from benchlab.settings_signon import OIDC as OIDC
from benchlab.settings_signon import SOCIALACCOUNT_ADAPTER as SOCIALACCOUNT_ADAPTER
from benchlab.settings_signon import SOCIALACCOUNT_STORE_TOKENS as SOCIALACCOUNT_STORE_TOKENS
from benchlab.settings_tasks import CELERY_BEAT_SCHEDULE as CELERY_BEAT_SCHEDULE
from benchlab.version import VERSION as VERSION

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = Path(env_str("BENCHLAB_HOME", str(BASE_DIR / "var"))).resolve()


# --- Core ----------------------------------------------------------------------------------------
SECRET_KEY = secret_or_generated("SECRET_KEY", HOME)
BENCHLAB_ENCRYPTION_KEYS = secret_or_generated("BENCHLAB_ENCRYPTION_KEYS", HOME).split(",")
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
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.mfa",
    "django_filters",
    "django_celery_beat",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "apps.common",
    "apps.inventory",
    "apps.bookings",
    "apps.tuning",
    "apps.plans",
    "apps.blobs",
    "apps.runs",
    "apps.results",
    "apps.execution",
    "apps.analysis",
    "apps.imports",
    "apps.lake",
    "apps.search",
    "apps.reports",
    "apps.acceptance",
    "apps.alerts",
    "benchlab",
]
MIDDLEWARE = [
    "apps.common.web.request_id.request_id",  # first, so that every line has the ID
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
    "apps.accounts.middleware.RefusedRequestMiddleware",
    "benchlab.upload_limit.UploadLimit",  # before anything reads a form
    "django.middleware.csrf.CsrfViewMiddleware",
    "apps.accounts.middleware.SessionIdleTimeoutMiddleware",
    "apps.accounts.middleware.PreferencesMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "apps.accounts.middleware.SecondFactorMiddleware",
    "apps.accounts.middleware.DefaultViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "apps.common.web.middleware.FormAddresses",
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
# Each language is named in itself.
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
FILTERS_EMPTY_CHOICE_LABEL = gettext_lazy("any")

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
SESSION_ENGINE = "apps.accounts.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env_bool("BENCHLAB_HTTPS", False)
SECURE_SSL_REDIRECT = False
if env_bool("BENCHLAB_HTTPS", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
# The proxy that terminates TLS redirects to HTTPS (W008); HSTS for subdomains (W005) and preloading
# (W021) are decisions of the domain's owner.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
BENCHLAB_TRUSTED_PROXIES = env_networks("BENCHLAB_TRUSTED_PROXIES")
# Addresses of Prometheus servers that read /metrics without a token.
BENCHLAB_METRICS_NETWORKS = env_networks("BENCHLAB_METRICS_NETWORKS")
# Sessions expire this long after their last use (apps.accounts.middleware).
SESSION_COOKIE_AGE = env_int("BENCHLAB_SESSION_IDLE_MINUTES", 720) * 60
# Seconds after a login until its session ends, also in use.
SESSION_MAX_SECONDS = env_int("BENCHLAB_SESSION_MAX_DAYS", 30) * 24 * 3600
# Share links of reports, readable without a login.
SHARE_LINKS = env_bool("BENCHLAB_SHARE_LINKS", True)
# benchlab's URL in links of notifications.
PUBLIC_URL = env_str("BENCHLAB_PUBLIC_URL")
# Dashboard of a host's own metrics, linked on the pages of cases.
HOST_DASHBOARD = env_url_template("BENCHLAB_HOST_DASHBOARD", "host", "from", "to")
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

# --- Execution -----------------------------------------------------------------------------------
BENCHLAB_LEASE_SECONDS = env_int("BENCHLAB_LEASE_SECONDS", 15)
BENCHLAB_RECONCILE_SECONDS = env_int("BENCHLAB_RECONCILE_SECONDS", 3)
BENCHLAB_CRASH_POINT = env_str("BENCHLAB_CRASH_POINT")
# Days of the longest booking; maintenance windows may be longer.
BENCHLAB_BOOKING_MAX_DAYS = env_int("BENCHLAB_BOOKING_MAX_DAYS", 7)
# Open bookings and hours ahead that one person may have of one host; admins have no limit.
BENCHLAB_BOOKING_MAX_OPEN = env_int("BENCHLAB_BOOKING_MAX_OPEN", 5)
BENCHLAB_BOOKING_MAX_HOURS = env_int("BENCHLAB_BOOKING_MAX_HOURS", 336)
# Runs in a row that end by a fault of a host, after which it is on hold; 0: never.
BENCHLAB_HOST_HOLD_FAULTS = env_int("BENCHLAB_HOST_HOLD_FAULTS", 2)
# Hours of waiting after which a queued run gains one priority.
BENCHLAB_QUEUE_AGING_HOURS = env_int("BENCHLAB_QUEUE_AGING_HOURS", 24)
# Within a level the team with fewer recent host-hours comes first.
BENCHLAB_QUEUE_FAIR_SHARE = env_bool("BENCHLAB_QUEUE_FAIR_SHARE", False)

# --- Imports -------------------------------------------------------------------------------------
BENCHLAB_IMPORT_MAX_MIB = env_int("BENCHLAB_IMPORT_MAX_MIB", 256)
# A folder is sent as one form with a file field and a path per file.
DATA_UPLOAD_MAX_NUMBER_FILES = 10_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 25_000
