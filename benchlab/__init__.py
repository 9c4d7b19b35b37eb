"""The composition root: knows every app, known by none."""

from benchlab.celery import app as celery_app

__all__ = ["__version__", "celery_app"]

__version__ = "0.2.0.dev0"
"""The next release with `.dev0` until it is made; then the newest heading of CHANGELOG.md."""
