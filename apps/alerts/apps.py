from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.apps import AppConfig

from apps.common.database.encrypted_rows import Again, encrypted_rows_register


def _webhooks() -> Iterator[tuple[str, Again]]:
    from apps.alerts.models import Alert  # models, after set-up
    from apps.alerts.services.alerts import alert_reencrypt  # models, after set-up

    for alert in Alert.objects.exclude(webhook_address=None).order_by("pk"):
        yield f"alert {alert.name}", partial(alert_reencrypt, alert=alert)


class AlertsConfig(AppConfig):
    name = "apps.alerts"

    def ready(self) -> None:
        """Register the webhooks' secrets for re-encryption."""
        encrypted_rows_register(_webhooks)
