"""Previews of host lists, hosts as a list, and the lines that bring a key to many hosts."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common.api.columnar import safe
from apps.inventory.domain.host_lists import fold, short
from apps.inventory.domain.host_lists.csv_list import COLUMNS
from apps.inventory.models import Host
from apps.inventory.selectors.host_plan import CHANGED, NEW, REFUSED, HostPlan, PlannedRow
from apps.inventory.selectors.inventory import fingerprint
from apps.remote.known_hosts import SSH_PORT

LOOP = 'for host in %s; do ssh %s-l %s "$host" %s; done'
FIELDS = {
    "kind": _lazy("reached"),
    "address": _lazy("address"),
    "port": _lazy("port"),
    "user": _lazy("user"),
    "jump": _lazy("jump host"),
    "tags": _lazy("tags"),
    "key": _lazy("key"),
    "host key": _lazy("host key"),
}


@dataclass(frozen=True)
class PreviewRow:
    """A row of the preview. `box`: the value of its check box, "" for a row without one."""

    row: PlannedRow
    box: str
    is_selected: bool
    reach: str
    trust: str
    changes: list[str]
    fingerprint: str


def preview_rows(plan: HostPlan, boxes: set[str]) -> list[PreviewRow]:
    """Return the rows, those with errors first. `boxes`: those that the user has selected."""
    rows = sorted(plan.rows, key=lambda row: row.state != REFUSED)
    return [_preview_row(row, boxes) for row in rows]


def _preview_row(row: PlannedRow, boxes: set[str]) -> PreviewRow:
    usable = row.state != REFUSED
    box = f"{row.token} {row.name}" if usable else ""
    selected = box in boxes if boxes else row.state in (NEW, CHANGED)
    changes = [
        _("%(field)s: %(before)s → %(after)s")
        % {"field": FIELDS[name], "before": short(before) or "–", "after": short(after) or "–"}
        for name, before, after in row.changes
    ]
    return PreviewRow(
        row=row,
        box=box,
        is_selected=usable and selected,
        reach=_reach(row) if usable else "",
        trust=_trust(row) if usable else "",
        changes=changes,
        fingerprint=fingerprint(row.host_key),
    )


def _reach(row: PlannedRow) -> str:
    values = row.values
    address = f"[{values['address']}]" if ":" in values["address"] else values["address"]
    login = f"{values['user']}@{address}:{values['port']}"
    if not values["jump_name"]:
        return login
    return _("%(login)s through %(jump)s") % {"login": login, "jump": values["jump_name"]}


def _trust(row: PlannedRow) -> str:
    if row.host and row.host.host_key:
        return _("pinned already")
    if row.host_key:
        return _("pinned from the known_hosts text")
    if row.authority:
        return _("if it has a certificate of %(authority)s") % {"authority": row.authority}
    return _("compare afterwards")


def csv_of_hosts(hosts: Iterable[Host]) -> bytes:
    """Return hosts over SSH as CSV, which the page of many hosts reads as "same"."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for host in hosts:
        if host.kind != Host.Kind.SSH:
            continue
        stored = host.key_source == Host.KeySource.STORED and host.credential
        values = {
            "name": host.name,
            "address": host.address,
            "port": host.port,
            "user": host.user,
            "jump": host.jump.name if host.jump else "",
            "tags": " ".join(host.tags),
            "key": host.credential.name if stored and host.credential else "agent",
        }
        writer.writerow([safe(values[name]) for name in COLUMNS])
    return out.getvalue().encode()


@dataclass(frozen=True)
class DeploymentLine:
    """A command or file that adds the public key on hosts. `program`: what reads it."""

    program: str
    text: str


@dataclass(frozen=True)
class Deployment:
    """The hosts that have one user, port and key, and lines for them."""

    user: str
    port: int
    key: str
    hosts: list[str]
    lines: list[DeploymentLine]


def deployments(hosts: Iterable[Host]) -> list[Deployment]:
    """Return the lines for each user, port and key of hosts that use a stored key."""
    groups: dict[tuple[str, int, str, str], list[Host]] = {}
    for host in hosts:
        if host.kind == Host.Kind.SSH and host.credential is not None:
            # Without the comment of a pasted key, which is free text.
            line = " ".join([*host.credential.public_key.split()[:2], "benchlab"])
            group = (host.user, host.port, line, host.credential.name)
            groups.setdefault(group, []).append(host)
    return [
        Deployment(user, port, name, [host.name for host in rows], _lines(user, port, line, rows))
        for (user, port, line, name), rows in groups.items()
    ]


def _lines(user: str, port: int, key: str, hosts: list[Host]) -> list[DeploymentLine]:
    addresses = [host.address for host in hosts]
    nodes = shlex.quote(fold(addresses))
    login = shlex.quote(user)
    quoted = shlex.quote(key)
    script = (
        "umask 077; mkdir -p ~/.ssh; touch ~/.ssh/authorized_keys; "
        f"grep -qxF {quoted} ~/.ssh/authorized_keys || echo {quoted} >> ~/.ssh/authorized_keys"
    )
    remote = shlex.quote(script)
    loop = " ".join(shlex.quote(address) for address in addresses)
    task = "\n".join(
        [
            "- name: Let benchlab log in",
            "  ansible.posix.authorized_key:",
            f"    user: {json.dumps(user)}",
            f"    key: {json.dumps(key)}",
        ]
    )
    cloud = "\n".join(
        [
            "#cloud-config",
            "users:",
            "  - default",
            f"  - name: {json.dumps(user)}",
            "    ssh_authorized_keys:",
            f"      - {json.dumps(key)}",
        ]
    )
    return [
        DeploymentLine("clush", f"{_clush(port)} -l {login} -w {nodes} {remote}"),
        DeploymentLine("pdsh", f"{_pdsh(port)} -l {login} -w {nodes} {remote}"),
        DeploymentLine("ssh", LOOP % (loop, _port_option(port), login, remote)),
        DeploymentLine(_("Ansible task"), task),
        DeploymentLine("cloud-init", cloud),
    ]


def _port_option(port: int) -> str:
    return "" if port == SSH_PORT else f"-p {port} "


def _clush(port: int) -> str:
    return "clush" if port == SSH_PORT else f"clush -o '-p {port}'"


def _pdsh(port: int) -> str:
    return "pdsh -R ssh" if port == SSH_PORT else f"PDSH_SSH_ARGS_APPEND='-p {port}' pdsh -R ssh"


def fingerprint_line(hosts: Iterable[Host]) -> str:
    """Return the commands that list the fingerprints of all hosts with their names, by port."""
    addresses: dict[int, list[str]] = {}
    for host in hosts:
        if host.kind == Host.Kind.SSH:
            addresses.setdefault(host.port, []).append(host.address)
    script = shlex.quote("for key in /etc/ssh/ssh_host_*_key.pub; do ssh-keygen -lf $key; done")
    return "; ".join(
        f"{_clush(port)} -w {shlex.quote(fold(names))} {script}"
        for port, names in addresses.items()
    )
