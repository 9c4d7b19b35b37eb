"""An OSD with a systemd unit stops and starts by `systemctl`, which is a stand-in here."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.remote.agent.ceph.daemons import Daemon
from apps.remote.agent.disturbance.request import validate_disturbance
from apps.remote.agent.tuning import osd_settings
from apps.remote.agent.tuning.osd_settings import RUNNING, STOPPED, OsdKind, process_line
from apps.remote.agent_tests.test_disturbance_timeline import request

UNIT = "ceph-osd@1.service"


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The calls; the file `runs` is the daemon."""
    recorded, runs = tmp_path / "calls", tmp_path / "runs"
    program = tmp_path / "bin" / "systemctl"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {recorded}\n'
        f'case "$1" in stop) rm {runs};; start) touch {runs};; *) exit 1;; esac\n'
    )
    program.chmod(0o755)
    runs.touch()
    monkeypatch.setenv("BENCHLAB_TOOLS_PATH", str(program.parent))
    monkeypatch.setattr(
        osd_settings, "daemon", lambda name, fsid: Daemon(name, 7, "/etc/ceph/ceph.conf", UNIT)
    )
    monkeypatch.setattr(osd_settings, "process_of", lambda name, fsid: 7 if runs.exists() else None)
    monkeypatch.setattr(osd_settings, "is_ready", lambda kind, pid: pid == 7)
    return recorded


def test_unit_is_stopped_and_started(calls: Path) -> None:
    wanted = validate_disturbance(request(kind="osd_stop"), 1)
    assert wanted
    line, kind = process_line(wanted), OsdKind()
    assert line["step"] == "pending"
    assert kind.read(line) == RUNNING
    kind.write(line, STOPPED)
    assert kind.read(line) == STOPPED
    kind.write(line, RUNNING)
    assert kind.read(line) == RUNNING
    kind.write(line, RUNNING)
    assert calls.read_text().splitlines() == [f"stop {UNIT}", f"start {UNIT}"]


def test_unit_that_does_not_start_is_an_error(calls: Path) -> None:
    """The journal then stays open, and the next session tries again."""
    wanted = validate_disturbance(request(kind="osd_stop"), 1)
    assert wanted
    line, kind = process_line(wanted), OsdKind()
    kind.write(line, STOPPED)
    line["restart"]["commands"][1][1] = "restart-never"
    with pytest.raises(OSError, match=UNIT):
        kind.write(line, RUNNING)
    assert kind.read(line) == STOPPED
