"""Node sets and inventories are read as ClusterShell and Ansible read them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from apps.inventory.domain.host_lists import HostRow, fold, read_host_list
from apps.inventory.domain.host_lists.node_sets import expand


def facts(row: HostRow) -> tuple[str | None, ...]:
    return row.address, row.port, row.user, row.jump


def test_node_sets_are_those_of_clustershell() -> None:
    nodes = pytest.importorskip("ClusterShell.NodeSet")
    for text in ("node[01-20,35].rack2", "n[0-9]", "r[1-2]n[1-3]", "a[1-10/3]", "x[098-101]"):
        assert sorted(expand(text)) == sorted(nodes.NodeSet(text))
        names = list(nodes.NodeSet(text))
        assert set(nodes.NodeSet(fold(names))) == set(names)


INVENTORIES = {
    "hosts.ini": """
[web]
node[01:03].x ansible_host=10.0.0.1 ansible_user=bench
b:2200 ansible_host="::1"
[lab:children]
web
data
[data]
d[a:c]
c ansible_port=23
[all:vars]
ansible_port=2222
[web:vars]
ansible_user=web
[lab:vars]
ansible_user=lab
ansible_ssh_common_args=-o ProxyJump=bastion
""",
    "hosts.yml": """
all:
  vars: {ansible_port: 2222}
  hosts:
    alone: {ansible_host: 192.0.2.9}
  children:
    lab:
      vars: &lab {ansible_user: lab, ansible_ssh_common_args: "-J bastion"}
      children:
        web:
          hosts:
            node[01:03]: {ansible_user: bench}
            c: {<<: *lab, ansible_port: 23}
    spare:
      hosts: {node01: , e: }
""",
}


@pytest.mark.parametrize("name", INVENTORIES)
def test_inventories_are_read_as_ansible_reads_them(name: str, tmp_path: Path) -> None:
    pytest.importorskip("ansible")
    (tmp_path / name).write_text(INVENTORIES[name])
    program = Path(sys.executable).with_name("ansible-inventory")
    argv = [str(program), "-i", str(tmp_path / name), "--list"]
    listed = subprocess.run(argv, capture_output=True, check=True, text=True, cwd=tmp_path).stdout
    here, there = read_host_list(INVENTORIES[name]), read_host_list(listed)
    assert there.form == "ansible_json"
    assert {row.name: (*facts(row), row.tags) for row in here.rows} == {
        row.name: (*facts(row), row.tags) for row in there.rows
    }
