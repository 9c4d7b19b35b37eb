"""Revoked keys and authorities of a known_hosts text."""

from __future__ import annotations

import pytest

from apps.remote.keys import generate_key
from apps.remote.known_hosts import (
    KnownHostsError,
    known_key,
    parse_known_hosts,
    revoked_lines,
    vouching,
)

NAMES = ["192.0.2.1", "a.lab"]


def public_line() -> str:
    return " ".join(generate_key()[1].split()[:2])


@pytest.mark.parametrize("patterns", ["*", "a.lab", "b.lab,*.lab", "192.0.2.1", "192.0.2.0/24"])
@pytest.mark.parametrize("port", [22, 2222])
def test_a_revoked_authority_vouches_for_none_of_its_hosts(patterns: str, port: int) -> None:
    line, other = public_line(), public_line()
    known = parse_known_hosts(
        f"@cert-authority * {line}\n@cert-authority * {other}\n@revoked {patterns} {line}"
    )
    revoked = revoked_lines(known.revoked, NAMES, port)
    assert revoked == {line}
    authorities = vouching(known.authorities, NAMES, port, revoked)
    assert [one.key.line for one in authorities] == [other]
    elsewhere = revoked_lines(known.revoked, ["198.51.100.9", "x.example"], port)
    assert elsewhere == ({line} if patterns == "*" else set())


def test_a_line_without_a_port_revokes_the_key_at_every_port() -> None:
    line = public_line()
    known = parse_known_hosts(f"[a.lab]:2222 {line}\n@revoked a.lab {line}")
    with pytest.raises(KnownHostsError):
        known_key(known, ["a.lab"], 2222)


def test_a_key_that_was_revoked_before_is_refused() -> None:
    line = public_line()
    known = parse_known_hosts(f"a.lab {line}")
    assert known_key(known, ["a.lab"], 22) is not None
    with pytest.raises(KnownHostsError):
        known_key(known, ["a.lab"], 22, frozenset({line}))
