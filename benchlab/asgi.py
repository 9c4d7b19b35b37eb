"""The web server's entry."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
os.environ.setdefault("BENCHLAB_DATABASE_POOL", "1")

application = get_asgi_application()
