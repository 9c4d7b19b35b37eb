from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.apps import AppConfig

from apps.common.stored.sealed_rows import Again, sealed_rows_register


def _sealed() -> Iterator[tuple[str, Again]]:
    from apps.alerts.models import Alert  # models, after set-up
    from apps.alerts.services.alerts import alert_reseal  # models, after set-up

    for alert in Alert.objects.exclude(hook_address=None).order_by("pk"):
        yield f"alert {alert.name}", partial(alert_reseal, alert=alert)


class AlertsConfig(AppConfig):
    name = "apps.alerts"

    def ready(self) -> None:
        """Hooks' secrets are encrypted again with the others."""
        sealed_rows_register(_sealed)
