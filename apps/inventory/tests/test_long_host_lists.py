"""Long lines in lists of hosts: the time stays linear in their length."""

from __future__ import annotations

import contextlib

import pytest

from apps.inventory.domain.host_lists import ListError, read_host_list

LENGTH = 200_000
# Quadratic patterns need minutes, linear ones milliseconds.
pytestmark = pytest.mark.timeout(100)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("", "\n" * LENGTH + "node1"),
        ("", "x\n" + " " * LENGTH + "\x01"),
        ("ansible_yaml", "all:\n  hosts:\n    a:\n#" + "-" * LENGTH + " "),
        ("ansible_yaml", "all:\n  hosts:\n    a:\n" + "-" * LENGTH + " x"),
        ("ssh_config", "Host a\n  User x" + " " * LENGTH + "\x01"),
        ("ssh_config", "Host a\n" + " " * LENGTH + "User x"),
        ("ssh_config", "Host a\nUser" + " " * LENGTH + "x"),
    ],
)
def test_long_line_is_read_in_linear_time(form: str, text: str) -> None:
    with contextlib.suppress(ListError):
        read_host_list(text, form)


def test_spaces_around_an_option_of_ssh_config_are_no_part_of_it() -> None:
    rows = read_host_list("  Host\tnode1  \n\tHostName = 10.0.0.1 \t\n", "ssh_config").rows
    assert [(row.name, row.address) for row in rows] == [("node1", "10.0.0.1")]
