"""The composition root: knows every app, known by none."""

from benchlab.celery import app as celery_app

__all__ = ["celery_app"]
