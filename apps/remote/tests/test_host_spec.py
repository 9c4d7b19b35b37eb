"""Addresses, users and ports are words of a strict grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.remote.connection import HostSpec


@pytest.mark.parametrize(
    "address",
    ["node01", "node-1.lab.example.org", "10.0.0.7", "fe80::1%eth0", "2001:db8::2", "a_b", "x."],
)
def test_addresses_people_use_are_taken(address: str) -> None:
    assert HostSpec(address=address).address == address


@pytest.mark.parametrize(
    "address",
    [
        *("", "-oProxyCommand=id", "a b", "a;id", "$(id)", "`id`", "a\nb", "a\0b", "a'b", "a/b"),
        *("ü.de", "user@host", "host:22", "10.0.0.1%eth0", "fe80::1%e;d", "a..b", "-a.b", "x" * 64),
    ],
)
def test_everything_else_is_no_address(address: str) -> None:
    with pytest.raises(ValueError, match="address"):
        HostSpec(address=address)


@pytest.mark.parametrize("user", ["root", "bench-lab", "j.doe", "svc_1", "me@lab.example", "pc$"])
def test_users_are_taken(user: str) -> None:
    assert HostSpec(user=user).user == user


@pytest.mark.parametrize("user", ["", "-l", "a b", "a;b", "$(id)", "a\n", "1a", "a/b", "a@-b", "ü"])
def test_everything_else_is_no_user(user: str) -> None:
    with pytest.raises(ValueError, match="user name"):
        HostSpec(user=user)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12))
def test_no_text_with_a_metacharacter_passes(text: str) -> None:
    hostile = text + ";"
    with pytest.raises(ValueError, match="address"):
        HostSpec(address=hostile)
    with pytest.raises(ValueError, match="user name"):
        HostSpec(user=hostile)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_ports_have_their_range(port: int) -> None:
    with pytest.raises(ValueError, match="port"):
        HostSpec(port=port)


def test_become_is_one_of_three() -> None:
    with pytest.raises(ValueError, match="Become"):
        HostSpec(become="admin")  # type: ignore[arg-type]  # the wrong word is the test


def test_secrets_are_not_in_its_text() -> None:
    text = repr(HostSpec(private_key="KEY-CANARY", passphrase="PASS-CANARY"))
    assert "CANARY" not in text


def test_names_say_where_it_is() -> None:
    assert HostSpec(address="node1", port=2222, user="me").name == "me@node1:2222"
    assert HostSpec(address="fe80::1").name == "root@[fe80::1]:22"
    assert HostSpec(local=True).name == "this machine"
