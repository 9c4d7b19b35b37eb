"""Devices or virtual machines of NetBox's REST API: `GET dcim/devices/`."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists.rows import (
    MAX_HOSTS,
    HostList,
    HostRow,
    ListError,
    too_many_text,
)

ADDRESSES = ("primary_ip4", "primary_ip", "primary_ip6")


def is_netbox_json(tree: Any) -> bool:
    return isinstance(tree, list) or (isinstance(tree, dict) and "results" in tree)


def read_netbox_json(tree: Any) -> HostList:
    """Return the hosts of a page of the API, or of a list of its objects. Raises: ListError."""
    notes: list[str] = []
    devices = tree
    if isinstance(tree, dict):
        devices = tree["results"]
        if tree.get("next"):
            notes.append(_("This is one page of several. Fetch it with “?limit=1000”."))
    if not isinstance(devices, list):
        raise ListError(_("“results” is not a list of devices."))
    if len(devices) > MAX_HOSTS:
        raise ListError(too_many_text())
    return HostList("netbox_json", [_row(device) for device in devices], notes)


def _row(device: Any) -> HostRow:
    row = HostRow(0, "", adds_tags=True)
    if not isinstance(device, dict):
        row.errors.append(_("This is not a device."))
        return row
    row.set_value("name", device.get("name") or device.get("display"))
    for name in ADDRESSES:
        address = device.get(name)
        if isinstance(address, dict):
            address = address.get("address")
        if isinstance(address, str) and address:
            row.set_value("address", address.partition("/")[0])
            break
    else:
        row.errors.append(_("NetBox has no primary address for it."))
    tags = device.get("tags")
    row.tags = [_tag(tag) for tag in tags if _tag(tag)] if isinstance(tags, list) else []
    return row


def _tag(tag: Any) -> str:
    value = tag.get("slug") or tag.get("name") if isinstance(tag, dict) else tag
    return value if isinstance(value, str) else ""
