"""The web server's entry."""

from __future__ import annotations

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

from benchlab.upload_bound import UploadBound

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
os.environ.setdefault("BENCHLAB_DATABASE_POOL", "1")

_django = get_asgi_application()
from benchlab.callers import refusal_of  # noqa: E402 # needs the settings

# A form is a little longer than the files in it.
application = UploadBound(_django, (settings.BENCHLAB_IMPORT_MAX_MIB + 8) * 1024**2, refusal_of)
