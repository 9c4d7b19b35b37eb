"""Lists of hosts in every form: the same hosts give the same rows; bad input gives sentences."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.inventory.domain.host_lists import (
    MAX_HOSTS,
    HostRow,
    ListError,
    decode,
    fold,
    read_host_list,
)

NUMBERS = range(1, 21)
ROWS = {
    f"node{n:02}": (f"10.0.0.{n}", "2222", "bench", "bastion" if n > 1 else None) for n in NUMBERS
}


def csv_text() -> str:
    lines = [
        f"{name},{address},{port},{user},{jump or ''},rack2 web"
        for name, (address, port, user, jump) in ROWS.items()
    ]
    return "\n".join(["name,address,port,user,jump,tags", *lines])


def ini_text() -> str:
    hosts = [f"{name} ansible_host={row[0]}{jump(row)}" for name, row in ROWS.items()]
    return "\n".join(
        [
            *("[web]", *hosts, "[rack2:children]", "web", "[web:vars]"),
            *("ansible_port = 2222  # not the usual one", "ansible_user='bench'"),
        ]
    )


def jump(row: tuple[str, str, str, str | None]) -> str:
    return ' ansible_ssh_common_args="-o ProxyJump=bastion"' if row[3] else ""


def yaml_text() -> str:
    lines = ["all:", "  children:", "    rack2:", "      children:", "        web:"]
    lines += ["          vars: {ansible_port: 2222, ansible_user: bench}", "          hosts:"]
    for name, row in ROWS.items():
        lines += [f"            {name}:", f"              ansible_host: {row[0]}"]
        lines += ["              ansible_ssh_common_args: -J bastion"] if row[3] else []
    return "\n".join(lines)


def json_text() -> str:
    values = {
        name: {"ansible_host": row[0], "ansible_port": 2222, "ansible_user": row[2]}
        | ({"ansible_ssh_common_args": "-o ProxyJump=bastion"} if row[3] else {})
        for name, row in ROWS.items()
    }
    groups = {"rack2": {"children": ["web"]}, "web": {"hosts": list(ROWS)}}
    return json.dumps({"_meta": {"hostvars": values}, "all": {"children": ["rack2"]}, **groups})


def ssh_text() -> str:
    blocks = [
        f"Host {name}\n  HostName {row[0]}\n" + ("  ProxyJump bastion\n" if row[3] else "")
        for name, row in ROWS.items()
    ]
    return "\n".join([*blocks, "Host node*", "  Port 2222", "  User=bench", "  User root"])


def facts(row: HostRow) -> tuple[str | None, ...]:
    return row.address, row.port, row.user, row.jump


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("csv", csv_text()),
        ("csv", csv_text().replace(",", "\t")),
        ("csv", csv_text().replace(",", "，").replace("2222", "２２２２")),
        ("csv", "\ufeff" + csv_text().replace("\n", "\r\n")),
        ("ansible_ini", ini_text()),
        ("ansible_yaml", yaml_text()),
        ("ansible_json", json_text()),
        ("ssh_config", ssh_text()),
    ],
)
def test_the_same_hosts_in_each_form_give_the_same_rows(form: str, text: str) -> None:
    found = read_host_list(text)
    assert found.form == form
    assert {row.name: facts(row) for row in found.rows} == ROWS
    assert not [error for row in found.rows for error in row.errors]
    if form != "ssh_config":
        assert {tuple(row.tags or ()) for row in found.rows} == {("rack2", "web")}


def test_netbox_gives_names_and_addresses() -> None:
    devices = [
        {"name": name, "primary_ip4": {"address": f"{row[0]}/24"}, "tags": [{"slug": "nvme"}]}
        for name, row in ROWS.items()
    ]
    found = read_host_list(json.dumps({"count": 20, "next": "x", "results": devices}))
    assert found.form == "netbox_json"
    assert {row.name: row.address for row in found.rows} == {n: r[0] for n, r in ROWS.items()}
    assert "one page of several" in found.notes[0]
    table = "Name,Status,Site,Role,Type,IP Address\n" + "\n".join(
        f"{name},Active,lab,x,y,{row[0]}/24" for name, row in ROWS.items()
    )
    found = read_host_list(table)
    assert found.form == "netbox_csv"
    assert {row.name: row.address for row in found.rows} == {n: r[0] for n, r in ROWS.items()}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("node[01-03,35].rack2", ["node01.rack2", "node02.rack2", "node03.rack2", "node35.rack2"]),
        ("node[8-10]", ["node8", "node9", "node10"]),
        ("r[1-2]n[1-2], x", ["r1n1", "r1n2", "r2n1", "r2n2", "x"]),
        ("node[1-6/2]!node3", ["node1", "node5"]),
        ("a b\nc # not d", ["a", "b", "c"]),
        ("ｎｏｄｅ［１－２］、ｂ", ["node1", "node2", "b"]),
    ],
)
def test_node_sets(text: str, names: list[str]) -> None:
    assert [row.name for row in read_host_list(text).rows] == names


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("node[1-999999999]", "“999999999 hosts” is more than the 1000"),
        ("node[1-40]x[1-40]", "“1600 hosts” is more"),
        ("node[1-99999999999999999999]", "at most 9 digits"),
        ("node[5-1]", "ends before it starts"),
        ("node[08-012]", "two widths"),
        ("node[1-3", "not closed"),
        ("a;rm -rf /", "A name has letters"),
        ("$(reboot)", "A name has letters"),
        ("@all", "A group is known on its own machine only"),
        ("node[[1-2]]", "Brackets inside"),
        ("node[a-c]", "no range of numbers"),
    ],
)
@pytest.mark.timeout(60)  # reached if a range is expanded
def test_a_bad_node_set_is_a_refused_row_and_no_host(text: str, sentence: str) -> None:
    (row,) = read_host_list(text).rows
    assert sentence in " ".join(row.errors)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The list is empty"),
        ("# nothing", "names no host"),
        ("#!/usr/bin/env python\nprint()", "runs no program"),
        ("$ANSIBLE_VAULT;1.1;AES256\n6162", "a template or a secret"),
        ("plugin: netbox.netbox.nb_inventory\napi_endpoint: x", "runs no program or plugin"),
        ("all: " + "[" * 100_000, "nested deeper"),
        ("{" + '"a":{' * 100_000, "nested too deep"),
        ('{"all": ', "no JSON, line 1"),
        ("all:\n  hosts: [a\n", "no YAML, line"),
        ("all:\n  host:\n    a:\n", "it may have hosts, children and vars"),
        ("name,name,address\na,b,c", "is there twice"),
        ("\n".join(f"h{n}" for n in range(MAX_HOSTS + 1)), "more than 1000 hosts"),
        ("[a:children]\nb\n[b:children]\na\n[b]\nx", "contains itself"),
        ("x" * (1 << 20) + "y", "larger than 1 MiB"),
        ("name" + ",name" * 100_000, "more than 500 columns"),
    ],
)
def test_a_list_that_cannot_be_read_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ListError, match=sentence):
        read_host_list(text)


def chain_of_groups(hosts: int) -> str:
    """Return 1999 groups, each with all later ones as children as far as 1 MiB holds them."""
    lines = ["[g1998]", *(f"h{n}" for n in range(hosts))]
    for number in range(1998):
        lines += [f"[g{number}:children]", f"g{number + 1}"]
    size = sum(len(line) + 1 for line in lines)
    for distance in range(2, 1998):
        for number in range(1998 - distance):
            lines += [f"[g{number}:children]", f"g{number + distance}"]
            size += len(lines[-1]) + len(lines[-2]) + 2
            if size > (1 << 20) - 20:
                return "\n".join(lines[:-2])
    return "\n".join(lines)


def wide_groups() -> str:
    """Return 30 layers of groups; each group contains all groups of the next layer."""
    layers = [[f"g{layer}x{n}" for n in range(66)] for layer in range(30)]
    lines = [f"[{layers[-1][0]}]", *(f"h{n}" for n in range(1000))]
    for above, below in itertools.pairwise(layers):
        for name in above:
            lines += [f"[{name}:children]", *below]
    return "\n".join(lines)


@pytest.mark.parametrize("text", [
    chain_of_groups(1000),
    wide_groups(),
    json.dumps({
        "_meta": {"hostvars": {"h": {f"v{n}": n for n in range(30_000)}}},
        "g": {"hosts": ["h"] * 90_000},
    }),
    "[g]\nh[1:1000] " + " ".join(f"v{n}=1" for n in range(90_000)),
], ids=["deep", "wide", "variables", "line"])  # fmt: skip
@pytest.mark.timeout(60)  # reached in quadratic time
def test_an_honest_size_is_read_in_linear_time(text: str) -> None:
    assert len(text) < 1 << 20
    rows = read_host_list(text, "").rows
    assert {row.name for row in rows} >= {"h" if "hostvars" in text else "h1"}


@pytest.mark.parametrize("text", [
    "[a]\n" + "h[1:1000]\n" * 101,
    "\n".join(f"[g{n}]\nh[1:1000]" for n in range(1000)),
])  # fmt: skip
def test_more_mentions_of_hosts_than_any_lab_has_are_refused(text: str) -> None:
    with pytest.raises(ListError, match="name more than"):
        read_host_list(text)


def test_groups_of_a_host_are_limited() -> None:
    text = "\n".join(f"[g{n}]\nh" for n in range(101)) + "\n[small]\nother"
    rows = {row.name: row for row in read_host_list(text).rows}
    assert "more than 100 groups" in rows["h"].errors[0]
    assert rows["other"].tags == ["small"]


def test_variables_of_inner_groups_win_over_those_of_outer_ones() -> None:
    text = (
        "[all:vars]\nansible_user=all\nansible_port=1\n[in]\nh\n[in:vars]\nansible_user=in\n"
        "[out:children]\nmid\n[mid:children]\nin\n[mid:vars]\nansible_port=2\nansible_user=mid"
    )
    (row,) = read_host_list(text).rows
    assert (row.user, row.port, row.tags) == ("in", "2", ["in", "mid", "out"])


@pytest.mark.parametrize("text", [
    "[a:children]\na\n[a]\nx", "[a:children]\nb\n[b:children]\nc\n[c:children]\nb\n[c]\nx",
])  # fmt: skip
def test_a_circle_of_groups_names_one_of_them(text: str) -> None:
    with pytest.raises(ListError, match=r"“[abc]” contains itself"):
        read_host_list(text)


@pytest.mark.timeout(60)  # reached if aliases are expanded
def test_an_alias_bomb_is_refused_at_once() -> None:
    levels = [f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]" for n in range(1, 30)]
    with pytest.raises(ListError, match="its aliases counted"):
        read_host_list("\n".join(["b0: &b0 [x]", *levels]))


def test_aliases_and_merges_of_an_honest_inventory_work() -> None:
    text = (
        "all:\n  vars: &v {ansible_user: bench}\n  hosts:\n"
        "    a: {<<: *v, ansible_port: 23}\n    b: *v\n"
    )
    rows = {row.name: row for row in read_host_list(text).rows}
    assert (rows["a"].user, rows["a"].port, rows["b"].user) == ("bench", "23", "bench")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[a]\nx ansible_host=\'{{ lookup("pipe", "id") }}\'', "address: the value"),
        ("all:\n  hosts:\n    x:\n      ansible_user: !vault |\n        $ANSIBLE_VAULT", "user:"),
        ("all:\n  hosts:\n    x: {ansible_host: !!python/object/apply:os.system [id]}", "address:"),
        ("all:\n  hosts:\n    x: {ansible_connection: local}", "not over SSH"),
        ("[a]\nx ansible_ssh_common_args='-o ProxyCommand=\"nc %h\"'", "ProxyCommand"),
        ("Host x\n  ProxyCommand rm -rf /", "ProxyCommand"),
        ("[a]\nx ansible_host='oh", "A quote is not closed"),
        ("[a]\nx reboot", "not of the form name=value"),
        ("name,address\nx,a\0b", "control character"),
        ("name,address\nx," + "a" * 500, "more than 400 characters"),
        ("name,address\nx,a,b,c", "more values than"),
    ],
)
def test_what_is_not_executed_is_an_error_of_its_row(text: str, sentence: str) -> None:
    (row,) = read_host_list(text).rows
    assert sentence in " ".join(row.errors)


def test_parts_of_ssh_config_that_need_a_machine_are_named() -> None:
    found = read_host_list('Include ~/.ssh/other\nMatch exec "id"\n  User evil\nHost a\n Port 23')
    assert [row.name for row in found.rows] == ["a"]
    assert found.rows[0].user is None
    assert len(found.notes) == 2


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("name\n名".encode("gb18030"), "not UTF-8 text \\(byte 6\\)"),
        (b"PK\x03\x04\x00\x00", "not text"),
        (b"x" * (1 << 20) + b"y", "larger than 1 MiB"),
    ],
)
def test_a_file_in_another_encoding_is_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(ListError, match=sentence):
        decode(data)


def test_a_spreadsheets_utf_16_is_read() -> None:
    text = decode(csv_text().replace(",", "\t").encode("utf-16"))
    assert {row.name for row in read_host_list(text).rows} == set(ROWS)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 200), st.booleans()), max_size=30))
def test_folded_names_expand_to_the_same(parts: list[tuple[str, int, bool]]) -> None:
    names = {f"{head}{number:03d}" if wide else f"{head}{number}" for head, number, wide in parts}
    if names:
        again = [row.name for row in read_host_list(fold(sorted(names)), "node_set").rows]
        assert sorted(again) == sorted(names)


@given(st.text(alphabet="nod[]0123456789-,!/ .@\n", max_size=60))
def test_no_text_of_node_sets_breaks_the_reader(text: str) -> None:
    try:
        rows = read_host_list(text, "node_set").rows
    except ListError:
        return
    assert len(rows) <= MAX_HOSTS


@given(st.sampled_from(["csv", "ansible_ini", "ansible_yaml", "ssh_config", ""]), st.text())
def test_no_text_breaks_a_reader(form: str, text: str) -> None:
    try:
        read_host_list(text, form)
    except ListError:
        return
