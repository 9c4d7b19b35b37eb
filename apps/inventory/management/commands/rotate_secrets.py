"""`manage.py rotate_secrets`: encrypt every stored key with the first of BENCHLAB_ENCRYPTION_KEYS.

The old key can then be removed (docs/operations/secrets.md).
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.common.database.encrypted_rows import encrypted_rows
from apps.common.database.encryption import SecretUnreadable
from apps.inventory.models import Credential
from apps.inventory.services import credential_reencrypt


class Command(BaseCommand):
    help = (
        "Encrypt every stored SSH key and passphrase again, with the first key of "
        "BENCHLAB_ENCRYPTION_KEYS. Safe to repeat; nothing is lost when it is interrupted."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        done, shut = 0, []
        for credential in Credential.objects.order_by("pk"):
            try:
                credential_reencrypt(credential=credential)
                done += 1
            except SecretUnreadable as error:
                shut.append(credential.name)
                self.stderr.write(f"{credential.name}: {error}")
        for name, again in encrypted_rows():
            try:
                again()
                done += 1
            except SecretUnreadable as error:
                shut.append(name)
                self.stderr.write(f"{name}: {error}")
        keys = "1 key" if done == 1 else f"{done} keys"
        self.stdout.write(f"{keys} encrypted with the first key of BENCHLAB_ENCRYPTION_KEYS.")
        if shut:
            raise CommandError(f"Not encrypted again: {', '.join(shut)}. Keep the old keys.")
