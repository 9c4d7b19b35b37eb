"""Fixtures of the tests of alerts."""

from apps.alerts.tests.imitated_receivers import receivers

__all__ = ["receivers"]
