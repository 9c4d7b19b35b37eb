"""Find the form of a host list by its content, and read it."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.inventory.domain.host_lists.ansible import (
    SECTION,
    parse_json,
    program_fault,
    read_ansible_json,
    read_ini,
    read_yaml,
)
from apps.inventory.domain.host_lists.csv_list import (
    header_of,
    is_csv,
    is_netbox,
    read_csv,
    read_netbox_csv,
)
from apps.inventory.domain.host_lists.decode import unify
from apps.inventory.domain.host_lists.netbox import is_netbox_json, read_netbox_json
from apps.inventory.domain.host_lists.node_sets import read_node_sets
from apps.inventory.domain.host_lists.rows import HostList, ListError
from apps.inventory.domain.host_lists.ssh_config import read_ssh_config

FORMS = {
    "csv": _lazy("CSV"),
    "node_set": _lazy("node sets"),
    "ansible_ini": _lazy("Ansible inventory, INI"),
    "ansible_yaml": _lazy("Ansible inventory, YAML"),
    "ansible_json": _lazy("JSON of ansible-inventory --list"),
    "ssh_config": _lazy("ssh_config"),
    "netbox_csv": _lazy("devices of NetBox, CSV"),
    "netbox_json": _lazy("devices of NetBox, JSON"),
}
_SSH = re.compile(r"^[ \t]*(Host|Match)[ \t=]+\S", re.IGNORECASE | re.MULTILINE)
_VARIABLE = re.compile(r"\sansible_[a-z_]+=", re.MULTILINE)
_YAML = re.compile(r"^(---|[\w.\"'-]+:(\s.*)?)$", re.MULTILINE)


def read_host_list(text: str, form: str = "") -> HostList:
    """Return the rows of a text. `form`: a key of FORMS; "" finds it by the content.

    Raises: ListError if nothing of the text can be read.
    """
    text = unify(text)
    if not text.strip():
        raise ListError(_("The list is empty."))
    if fault := program_fault(text.lstrip()):
        raise ListError(fault)
    result = _read(text, form or form_of(text))
    if not result.rows:
        raise ListError(_("The list names no host."))
    return result


def form_of(text: str) -> str:
    """Return the form of a text as a key of FORMS."""
    start = text.lstrip()
    if start.startswith("{") or re.match(r"\[\s*[{\]]", start):
        return "netbox_json" if is_netbox_json(parse_json(text)) else "ansible_json"
    if _SSH.search(text):
        return "ssh_config"
    header = header_of(text)
    if is_csv(header):
        return "csv"
    if is_netbox(header):
        return "netbox_csv"
    lines = text.split("\n")
    if any(SECTION.fullmatch(line.strip()) for line in lines) or _VARIABLE.search(text):
        return "ansible_ini"
    return "ansible_yaml" if _YAML.search(text) else "node_set"


def _read(text: str, form: str) -> HostList:
    if form in ("ansible_json", "netbox_json"):
        tree = parse_json(text)
        if form == "netbox_json":
            return read_netbox_json(tree)
        if not isinstance(tree, dict):
            raise ListError(_("The JSON is not that of “ansible-inventory --list”."))
        return read_ansible_json(tree)
    readers = {
        "csv": read_csv,
        "netbox_csv": read_netbox_csv,
        "node_set": read_node_sets,
        "ansible_ini": read_ini,
        "ansible_yaml": read_yaml,
        "ssh_config": read_ssh_config,
    }
    return readers[form](text)
