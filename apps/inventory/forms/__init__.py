"""Forms of hosts and targets, one module each."""

from apps.inventory.forms.backing_arrays import BackingArrayForm
from apps.inventory.forms.catalogue import CatalogueEntryForm, CatalogueImportForm
from apps.inventory.forms.directories import DirectoryForm
from apps.inventory.forms.disk_lists import DiskListForm
from apps.inventory.forms.durability import DurabilityForm
from apps.inventory.forms.groups import GroupForm
from apps.inventory.forms.host_lists import HostListForm, ListedKeysForm, OneTimePasswordForm
from apps.inventory.forms.hosts import HostForm
from apps.inventory.forms.pools import PoolForm
from apps.inventory.forms.specifications import DiskModelForm, DiskSpecificationForm

__all__ = [
    "BackingArrayForm",
    "CatalogueEntryForm",
    "CatalogueImportForm",
    "DirectoryForm",
    "DiskListForm",
    "DiskModelForm",
    "DiskSpecificationForm",
    "DurabilityForm",
    "GroupForm",
    "HostForm",
    "HostListForm",
    "ListedKeysForm",
    "OneTimePasswordForm",
    "PoolForm",
]
