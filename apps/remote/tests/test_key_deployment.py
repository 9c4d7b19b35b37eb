"""Keys by a one-time password on a real sshd: it goes to the pinned host only, and once."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import asyncssh
import pytest

from apps.remote.connection import HostSpec
from apps.remote.key_deployment import DeploymentResult, KeyDeployment, deploy_key, deploy_keys
from apps.remote.keys import generate_key
from tests.harness.netns_host import NetnsHost
from tests.harness.password_host import PASSWORD, MakeBox, password_box


class _Liar(asyncssh.SSHServer):
    """A host that refuses each password and repeats it in its reason."""

    def __init__(self, seen: list[str]) -> None:
        self.seen = seen

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self.conn = conn

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        self.seen.append(password)
        raise asyncssh.DisconnectError(asyncssh.DISC_BY_APPLICATION, f"not {password}")

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, *_words: object) -> tuple[str, str, str, list[tuple[str, bool]]]:
        return "", "", "en", [("Password:", False)]

    def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> bool:
        self.seen += responses
        return False


async def test_a_host_that_repeats_the_password_does_not_spread_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    seen: list[str] = []
    key = asyncssh.generate_private_key("ssh-ed25519")
    listener = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_factory=lambda: _Liar(seen),
        server_host_keys=[key],
        config=None,
    )
    private, public = generate_key()
    spec = HostSpec(
        "127.0.0.1",
        listener.get_port(),
        private_key=private,
        host_key=key.export_public_key().decode(),
    )
    caplog.set_level(logging.DEBUG)
    result = await deploy_key(KeyDeployment(spec, public), PASSWORD)
    assert result.state in ("password_refused", "failed")
    assert PASSWORD not in result.text + caplog.text
    assert seen == [PASSWORD]
    _private, other = generate_key()
    changed = await deploy_key(KeyDeployment(replace(spec, host_key=other), public), PASSWORD)
    unknown = await deploy_key(KeyDeployment(replace(spec, host_key=None), public), PASSWORD)
    assert (changed.state, unknown.state) == ("key_changed", "key_unknown")
    assert seen == [PASSWORD]
    listener.close()
    await listener.wait_closed()


@pytest.mark.e2e
@pytest.mark.needs_root
async def test_a_real_sshd_gets_the_key(
    make_box: MakeBox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    box = password_box(make_box, password="yes")
    closed = password_box(make_box, password="no")
    keys = box.home / ".ssh" / "authorized_keys"
    keys.parent.mkdir()
    keys.write_text("ssh-ed25519 AAAA somebody")  # without an end of line

    assert await tried(box, "wrong") == DeploymentResult("password_refused")
    assert keys.read_text() == "ssh-ed25519 AAAA somebody"
    refused = await tried(closed)
    assert refused.state == "password_refused"
    assert refused.text
    assert await tried(box) == DeploymentResult("key_deployed")
    assert keys.read_text().splitlines()[0] == "ssh-ed25519 AAAA somebody"
    assert len(keys.read_text().splitlines()) == 2
    assert await tried(box, "not used") == DeploymentResult("key_works")

    spec = box.spec()
    box.swap_host_key()
    box.restart_sshd()
    keys.unlink()
    result = await deploy_key(KeyDeployment(spec, public_of(box)), PASSWORD)
    assert result.state == "key_changed"
    assert not keys.exists()
    assert PASSWORD not in caplog.text


@pytest.mark.e2e
@pytest.mark.needs_root
async def test_hosts_without_an_end_in_time_have_no_result(make_box: MakeBox) -> None:
    box = password_box(make_box, password="yes")
    box.drop_packets(True)
    deployments = {1: KeyDeployment(box.spec(), public_of(box))}
    assert await deploy_keys(deployments, PASSWORD, 0.5) == {1: DeploymentResult("timed_out")}
    assert await deploy_keys({}, PASSWORD, 0.5) == {}


def public_of(box: NetnsHost) -> str:
    key = asyncssh.import_private_key(box.private_key)
    return " ".join(key.export_public_key().decode().split()[:2])


async def tried(box: NetnsHost, password: str = PASSWORD) -> DeploymentResult:
    return await deploy_key(KeyDeployment(box.spec(), public_of(box)), password)


async def test_a_defect_on_one_host_shows_no_text_and_spoils_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(deployment: KeyDeployment, password: str) -> DeploymentResult:
        if deployment.line:
            return DeploymentResult("key_works")
        raise RuntimeError(f"with {password}")

    monkeypatch.setattr("apps.remote.key_deployment.deploy_key", fail)
    spec = HostSpec("192.0.2.1")
    rows = {1: KeyDeployment(spec, ""), 2: KeyDeployment(spec, "line")}
    results = await deploy_keys(rows, PASSWORD, 5)
    assert [results[key].state for key in rows] == ["failed", "key_works"]
    assert PASSWORD not in f"{results}{caplog.text}"
