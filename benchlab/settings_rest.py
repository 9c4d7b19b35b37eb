"""Settings of the REST API: DRF, knox and drf-spectacular; imported by benchlab.settings."""

from __future__ import annotations

from benchlab.version import VERSION

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
        "TokenScope": "apps.accounts.models.ApiToken.Scope",
        "GateState": "apps.analysis.api.gate.STATES",
        "StepRole": "apps.plans.api.serializers.STEP_ROLES",
        "ComparisonVerdict": "apps.analysis.api.comparisons.VERDICTS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "apps.common.api.schema.document_errors",
    ],
}
