"""Hosts, their connections and facts, and the targets of tests."""

from apps.inventory.models.clusters import CephCluster
from apps.inventory.models.disks import DIRECTORY, Directory, Disk, GroupMember, TargetGroup
from apps.inventory.models.host_batches import HostAuthority, HostBatch
from apps.inventory.models.host_pairs import HostPair
from apps.inventory.models.hosts import ADDRESS, LOGIN, Credential, Host, HostFacts
from apps.inventory.models.pools import POOL, Pool
from apps.inventory.models.specifications import CatalogueEntry, DiskModel, DiskSpecification
from apps.inventory.models.targets import Target, models_of_kinds

__all__ = [
    "ADDRESS",
    "DIRECTORY",
    "LOGIN",
    "POOL",
    "CatalogueEntry",
    "CephCluster",
    "Credential",
    "Directory",
    "Disk",
    "DiskModel",
    "DiskSpecification",
    "GroupMember",
    "Host",
    "HostAuthority",
    "HostBatch",
    "HostFacts",
    "HostPair",
    "Pool",
    "Target",
    "TargetGroup",
    "models_of_kinds",
]
