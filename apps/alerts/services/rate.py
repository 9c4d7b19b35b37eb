"""Rate limit of webhooks, by address: DingTalk, WeCom and Feishu block a faster sender."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from apps.alerts.models import WebhookRate

MESSAGES_A_MINUTE = 18
"""DingTalk and WeCom accept 20; two are left for other senders."""
PERIOD = timedelta(minutes=1)


@transaction.atomic
def webhook_rate_take(recipient: str) -> datetime | None:
    """Count a message to an address (`recipient_of`) now; return None.

    Return when the next message may be sent if the limit is reached; nothing is counted then.
    """
    digest = salted_hmac("apps.alerts.webhook_rate", recipient, algorithm="sha256").hexdigest()
    WebhookRate.objects.get_or_create(digest=digest)
    row = WebhookRate.objects.select_for_update().get(digest=digest)
    now = timezone.now()
    recent = sorted(at for at in row.sent_at if now - PERIOD < at <= now)
    if len(recent) >= MESSAGES_A_MINUTE:
        return recent[-MESSAGES_A_MINUTE] + PERIOD
    row.sent_at = [*recent, now]
    row.save(update_fields=["sent_at", "updated_at"])
    return None
