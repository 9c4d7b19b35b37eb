"""Hosts, disks and targets in /api/v1/, one module each."""

from typing import Any

from apps.inventory.api.catalogue import CatalogueViewSet
from apps.inventory.api.directories import DirectoryViewSet
from apps.inventory.api.disk_models import DiskModelViewSet
from apps.inventory.api.disks import DiskViewSet
from apps.inventory.api.groups import GroupViewSet
from apps.inventory.api.hosts import HostViewSet
from apps.inventory.api.pairs import PairViewSet
from apps.inventory.api.pools import PoolViewSet

__all__ = [
    "CatalogueViewSet",
    "DirectoryViewSet",
    "DiskModelViewSet",
    "DiskViewSet",
    "GroupViewSet",
    "HostViewSet",
    "PairViewSet",
    "PoolViewSet",
    "router_entries",
]
router_entries: list[tuple[str, Any]] = [
    ("hosts", HostViewSet),
    ("disk-models", DiskModelViewSet),
    ("disk-catalogue", CatalogueViewSet),
    ("disks", DiskViewSet),
    ("directories", DirectoryViewSet),
    ("pools", PoolViewSet),
    ("pairs", PairViewSet),
    ("groups", GroupViewSet),
]
