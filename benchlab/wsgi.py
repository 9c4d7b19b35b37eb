"""WSGI entry point of the web server."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
application = get_wsgi_application()

import benchlab.urls  # noqa: E402, F401 # loads all views before the first request
from apps.common.database.statements import limit_statements  # noqa: E402 # needs the settings

limit_statements()
