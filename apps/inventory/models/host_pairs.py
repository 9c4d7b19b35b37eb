"""Host pairs: client and server of a network test."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import Timestamped
from apps.inventory.models.hosts import Host
from apps.inventory.models.targets import Target


class HostPair(Timestamped, Target):
    """Client and server of a network test."""

    KIND = "pair"
    NAMED_BY = ("client", "server")

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, parent_link=True, primary_key=True, related_name=KIND
    )
    client = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="+", db_index=False)
    server = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="+")

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["client", "server"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["client", "server"], name="one_pair_per_direction"),
            models.CheckConstraint(
                condition=~models.Q(client=models.F("server")), name="a_pair_is_two_hosts"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.client.name} → {self.server.name}"

    @property
    def address(self) -> str:
        """Return the address at which the client reaches the server."""
        return self.server.network_test_address or self.server.address
