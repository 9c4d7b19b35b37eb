"""Lists of hosts that were added together, and the authorities that vouch for host keys."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.common.models import Timestamped
from apps.inventory.models.hosts import Credential, Host


class HostBatch(Timestamped):
    """The hosts that one list added, changed or named. `form`: a key of host_lists.FORMS."""

    form = models.CharField(max_length=20)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    credential = models.ForeignKey(
        Credential,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("key of its new hosts"),
    )
    hosts = models.ManyToManyField(Host, related_name="batches")

    def __str__(self) -> str:
        return f"#{self.pk}"


class HostAuthority(Timestamped):
    """A certificate authority of host keys: `@cert-authority` of a known_hosts file.

    `is_revoked`: the line is `@revoked` instead; the key is that of an authority or of a host.
    """

    patterns = models.CharField(_("hosts"), max_length=400)
    public_key = models.TextField(_("public key"))
    is_revoked = models.BooleanField(_("revoked"), default=False)

    class Meta(Timestamped.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["patterns", "public_key", "is_revoked"],
                name="uniq_host_authority_patterns_key",
            )
        ]

    def __str__(self) -> str:
        return self.patterns
