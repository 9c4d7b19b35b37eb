"""The web server's entry."""

from __future__ import annotations

import gc
import os

import django
from django.conf import settings
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
# Nothing that is loaded is garbage; looking for it took a sixth of the start.
gc.disable()
django.setup(set_prefix=False)

from apps.common.database.statements import limit_statements  # noqa: E402 # needs the settings
from benchlab.callers import refusal_of  # noqa: E402 # needs the settings
from benchlab.upload_bound import UploadBound  # noqa: E402 # after them
from benchlab.web.handler import Handler  # noqa: E402 # needs the apps
from benchlab.web.orphans import end_with_parent  # noqa: E402 # after them
from benchlab.web.seats import Lanes, Seats  # noqa: E402 # after them

PATIENCE = 5.0
"""Seconds a request waits for a thread before it is answered 503."""
LANES = 2

end_with_parent()
limit_statements()
# All views are loaded before the first request, in every process at once: it would wait for them.
get_resolver().url_patterns  # noqa: B018 # the property loads them
# What is loaded stays, so that collections look at the objects of requests alone.
gc.collect()
gc.freeze()
gc.enable()
_seats = Seats(
    settings.BENCHLAB_WEB_THREADS, waiting=settings.BENCHLAB_WEB_QUEUE, patience=PATIENCE
)
# A form is a little longer than the files in it.
application = UploadBound(
    Handler(_seats, Lanes(LANES)), (settings.BENCHLAB_IMPORT_MAX_MIB + 8) * 1024**2, refusal_of
)
