"""Settings of logging; imported by benchlab.settings."""

from __future__ import annotations

from benchlab.env import env_choice, env_str

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
