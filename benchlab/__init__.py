"""Project package: imports every app, and no app imports it."""

from benchlab.celery import app as celery_app

__all__ = ["celery_app"]
