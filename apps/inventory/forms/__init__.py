"""Forms about the lab, one file a noun."""

from apps.inventory.forms.directories import DirectoryForm
from apps.inventory.forms.expectations import ExpectationForm
from apps.inventory.forms.groups import GroupForm
from apps.inventory.forms.hosts import HostForm
from apps.inventory.forms.pools import PoolForm

__all__ = ["DirectoryForm", "ExpectationForm", "GroupForm", "HostForm", "PoolForm"]
