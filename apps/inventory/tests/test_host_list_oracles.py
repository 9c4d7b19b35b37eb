"""Node sets, inventories and ssh_config are read as ClusterShell, Ansible and ssh read them."""

from __future__ import annotations

import getpass
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.common.domain.typed_text import narrow
from apps.inventory.domain.host_lists import HostRow, ListError, fold, read_host_list
from apps.inventory.domain.host_lists.node_sets import expand
from apps.inventory.models import Host
from apps.inventory.presenters import csv_of_hosts


def facts(row: HostRow) -> tuple[str | None, ...]:
    return row.address, row.port, row.user, row.jump


def test_node_sets_are_those_of_clustershell() -> None:
    nodes = pytest.importorskip("ClusterShell.NodeSet")
    for text in ("node[01-20,35].rack2", "n[0-9]", "r[1-2]n[1-3]", "a[1-10/3]", "x[098-101]"):
        assert sorted(expand(text)) == sorted(nodes.NodeSet(text))
        names = list(nodes.NodeSet(text))
        assert set(nodes.NodeSet(fold(names))) == set(names)


RANGES = st.sampled_from(["1", "03", "1-4", "2-9/3", "01-12", "8-11", "098-101"])
SETS = st.builds(
    lambda head, ranges, tail: f"{head}[{','.join(ranges)}]{tail}",
    st.sampled_from(["n", "rack2-n", "r1n"]),
    st.lists(RANGES, min_size=1, max_size=3, unique=True),
    st.sampled_from(["", ".lab", "-ib0"]),
)


@given(st.lists(st.tuples(st.sampled_from(",!"), SETS | st.just("n3")), min_size=1, max_size=5))
def test_unions_and_differences_are_those_of_clustershell(parts: list[tuple[str, str]]) -> None:
    nodes = pytest.importorskip("ClusterShell.NodeSet")
    text = "first" + "".join(sign + word for sign, word in parts)
    rows = read_host_list(text, "node_set").rows
    assert {row.name for row in rows} == set(nodes.NodeSet(text))


@pytest.mark.parametrize("text", [
    "a[0-999]," * 100_000, "b," + "!a[0-999]," * 100_000, "b!a[0-999]\n" * 95_000,
])  # fmt: skip
@pytest.mark.timeout(60)  # reached if sets are expanded
def test_sets_of_a_line_are_counted_before_they_are_expanded(text: str) -> None:
    with pytest.raises(ListError, match="name more than 100000 hosts"):
        read_host_list(text[: (1 << 20) - 20], "node_set")


NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)
HOSTS = st.builds(
    Host,
    name=NAMES,
    address=NAMES | st.ip_addresses().map(str),
    port=st.integers(1, 65535),
    user=st.from_regex(r"[a-z_][a-z0-9_-]{0,10}", fullmatch=True),
    tags=st.lists(st.from_regex(r"[\w-]{1,8}", fullmatch=True).map(narrow), max_size=3),
    jump=st.none() | st.builds(Host, name=NAMES),
    key_source=st.just("agent"),
)


@example([Host(name="a", address="a", port=22, user="root", tags=["-x"], key_source="agent")])
@given(st.lists(HOSTS, min_size=1, max_size=4, unique_by=lambda host: host.name))
def test_an_export_reads_as_the_same_hosts(hosts: list[Host]) -> None:
    found = read_host_list(csv_of_hosts(hosts).decode())
    assert found.form == "csv"
    assert not [error for row in found.rows for error in row.errors]
    assert [(row.name, *facts(row), row.tags, row.key) for row in found.rows] == [
        (
            host.name, host.address, str(host.port), host.user,
            host.jump.name if host.jump else None, list(host.tags) or None, "agent",
        )
        for host in hosts
    ]  # fmt: skip


CONFIGS = {
    "comments": 'Host a b # rack two\n HostName 192.0.2.1 # main\n User "u" # x\n',
    "equals": 'Host=a\n HostName=192.0.2.1\n Port = 23\nUser = "bench"\n',
    "first value": "User first\nHost a\n User second\nHost *\n Port 24\n",
    "negation": "Host a b !c\n Port 23\nHost *.x !a.x\n Port 25\nHost a.x b.x\n User u\n",
    "brackets": "Host a1 a[1]\n User u\nHost a[1]*\n Port 29\n",
    "question mark": "Host n1 n10\nHost n?\n Port 23\n",
    "token": "Host a\n HostName %h.lab\n",
    "jump": "Host a\n ProxyJump u@b:2200\nHost b\n HostName 192.0.2.7\n",
    "no jump": "Host a\n ProxyJump none\nHost *\n ProxyJump j\n",
    "case and tabs": "\thost\ta\n\t\tPORT\t23\r\n",
    "quotes": 'Host "a" b\n User "x"\n',
}


@pytest.mark.parametrize("name", CONFIGS)
def test_ssh_config_is_read_as_ssh_reads_it(name: str, tmp_path: Path) -> None:
    program = shutil.which("ssh")
    if program is None:
        pytest.skip("ssh is not installed")
    file = tmp_path / "config"
    file.write_text(CONFIGS[name])
    rows = read_host_list(CONFIGS[name], "ssh_config").rows
    assert rows
    for row in rows:
        argv = [program, "-G", "-F", str(file), row.name]
        shown = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
        values = dict(line.split(" ", 1) for line in shown.splitlines() if " " in line)
        expected = [values.get(key) for key in ("hostname", "port", "user", "proxyjump")]
        read = [row.address or row.name, row.port or "22", row.user or getpass.getuser(), row.jump]
        assert read == expected
        assert not row.errors


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
