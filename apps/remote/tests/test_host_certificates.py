"""A certificate of a trusted authority vouches for a host key, and nothing else does."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import asyncssh
import pytest

from apps.remote.connection import HostSpec
from apps.remote.errors import HostError
from apps.remote.host_certificates import certified_key
from apps.remote.login import connect_options

NAMES = ["127.0.0.1", "node01"]


class _Server(asyncssh.SSHServer):
    """Lets nobody in."""

    def begin_auth(self, username: str) -> bool:
        return True


@asynccontextmanager
async def server(certificate: Any, key: asyncssh.SSHKey) -> AsyncIterator[HostSpec]:
    listener = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_factory=_Server,
        server_host_keys=[(key, certificate) if certificate else key],
        config=None,
    )
    try:
        yield HostSpec("127.0.0.1", port=listener.get_port())
    finally:
        listener.close()
        await listener.wait_closed()


def key_pair() -> asyncssh.SSHKey:
    return asyncssh.generate_private_key("ssh-ed25519")


def line(key: asyncssh.SSHKey) -> str:
    return " ".join(key.export_public_key().decode().split()[:2])


async def vouched(
    principals: list[str] | None, *, authority: asyncssh.SSHKey | None = None, **options: Any
) -> bool:
    """Return True if the key of a server with such a certificate is accepted."""
    signer, key = key_pair(), key_pair()
    certificate = None
    if principals is not None:
        certificate = signer.generate_host_certificate(
            key, "node01", principals=principals, **options
        )
    async with server(certificate, key) as spec:
        found = await certified_key(spec, NAMES, [line(authority or signer)])
    assert found is None or found.line == line(key)
    return found is not None


@pytest.mark.parametrize("principals", [["node01"], ["127.0.0.1"], ["other", "node01"]])
async def test_a_certificate_for_the_host_vouches(principals: list[str]) -> None:
    assert await vouched(principals)


async def test_others_do_not() -> None:
    assert not await vouched(["node02"])
    assert not await vouched(["node01"], authority=key_pair())
    assert not await vouched(None)


async def test_a_certificate_for_every_name_proves_nothing() -> None:
    assert not await vouched([])


async def test_dates_count() -> None:
    assert not await vouched(["node01"], valid_before="-1h")
    assert not await vouched(["node01"], valid_after="+1h")


async def test_a_revoked_key_or_authority_does_not_vouch() -> None:
    signer, key, other = key_pair(), key_pair(), key_pair()
    certificate = signer.generate_host_certificate(key, "node01", principals=["node01"])
    async with server(certificate, key) as spec:
        for one, is_refused in ((signer, True), (key, True), (other, False)):
            tried = dataclasses.replace(spec, revoked=frozenset({line(one)}))
            vouched_for = await certified_key(tried, NAMES, [line(signer), line(other)])
            assert (vouched_for is None) == is_refused


async def test_a_revoked_pinned_key_is_refused_before_the_connection() -> None:
    key = line(key_pair())
    spec = HostSpec("127.0.0.1", port=1, host_key=f"{key} comment", revoked=frozenset({key}))
    with pytest.raises(HostError) as error:
        await connect_options(spec, AsyncExitStack())
    assert error.value.kind == "key_revoked"


async def test_a_server_that_is_none_is_no_error() -> None:
    assert await certified_key(HostSpec("127.0.0.1", port=1), NAMES, [line(key_pair())]) is None
