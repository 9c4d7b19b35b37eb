"""CPU governors and the CPUs of interrupts are lent as other settings are."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.errors import RefusalError, TuningUnavailableError
from apps.remote.agent.processes.job_folder import Job
from apps.remote.agent.tuning import governor_settings, irq_settings
from apps.remote.agent.tuning.irq_names import is_cpu_value, is_pattern
from apps.remote.agent.tuning.journal import TuningJournal, snapshot
from apps.remote.agent.tuning.kinds import KINDS
from apps.remote.agent.tuning.restore import restore_settings
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.processes import running, supervisor

# All processes share the kernel's settings.
pytestmark = pytest.mark.xdist_group("kernel settings")


def want(kind: str, name: str, value: str, identity: str = "") -> Any:
    """A tuning entry of a spec."""
    return {"kind": kind, "identity": identity, "name": name, "value": value}


@pytest.fixture
def policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two frequency policies as sysfs shows them."""
    root = tmp_path / "cpufreq"
    for number in (0, 10):
        folder = root / f"policy{number}"
        folder.mkdir(parents=True)
        (folder / "scaling_governor").write_text("powersave\n")
        (folder / "scaling_available_governors").write_text("performance powersave\n")
        (folder / "energy_performance_preference").write_text("balance_performance\n")
    monkeypatch.setattr(governor_settings, "ROOT", str(root))
    return root


@pytest.fixture
def interrupts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Interrupts as /proc/irq shows them on a host with four CPUs: two queues of a card, two more
    of other devices, and one that nobody has asked for.
    """
    root = tmp_path / "irq"
    for number, name in ((7, "rtc0"), (40, "eth0-rx-0"), (41, "eth0-tx-0"), (42, "nvme0q1")):
        (root / str(number) / name).mkdir(parents=True)
    (root / "43").mkdir()
    for number in (7, 40, 41, 42, 43):
        (root / str(number) / "smp_affinity_list").write_text("0-3\n")
    (root / "default_smp_affinity").write_text("f\n")
    online = tmp_path / "online"
    online.write_text("0-3\n")
    monkeypatch.setattr(irq_settings, "ROOT", str(root))
    monkeypatch.setattr(irq_settings, "ONLINE", str(online))
    return root


def applied(base: Path, *wanted: Any) -> TuningJournal:
    """A loan of these, applied: written down, written, read back."""
    job = Job(str(base), "1")
    os.makedirs(job.folder)
    Path(job.path("lock")).touch()
    moment = {"monotonic": 0.0, "realtime": 0.0}
    record: Any = {
        "state": "open", "opened": moment, "boot_id": irq_boot(), "lease": 60.0,
        "settings": snapshot(list(wanted)),
    }  # fmt: skip
    loan = TuningJournal(job, record)
    loan.save()
    for group in loan.groups():
        loan.apply(group)
    loan.verify()
    return loan


def irq_boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def test_every_policy_gets_the_governor_and_its_own_back(policies: Path, tmp_path: Path) -> None:
    (policies / "policy10" / "scaling_governor").write_text("schedutil\n")
    loan = applied(tmp_path, want("governor", "scaling_governor", "performance"))
    asked = [one["identity"] for one in loan.requested()]
    assert asked == ["policy0", "policy10"]
    files = [policies / name / "scaling_governor" for name in asked]
    assert [file.read_text() for file in files] == ["performance", "performance"]
    # Some drivers change this along, and refuse to write it under "performance".
    (policies / "policy0" / "energy_performance_preference").write_text("performance\n")
    loan.settings[1]["last_value"] = "performance"
    loan.save()
    outcome = restore_settings(loan.job)
    assert (outcome["conflicts"], outcome["failed"]) == ([], [])
    assert [file.read_text() for file in files] == ["powersave", "schedutil"]
    preference = policies / "policy0" / "energy_performance_preference"
    assert preference.read_text() == "balance_performance"


def test_a_governor_that_is_not_offered_names_those_that_are(policies: Path) -> None:
    one = snapshot([want("governor", "scaling_governor", "ondemand")])[0]
    assert KINDS["governor"].hint(one) == "They offer: performance, powersave."


def test_a_host_without_governors_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(governor_settings, "ROOT", str(tmp_path))
    with pytest.raises(TuningUnavailableError, match="offers no governors"):
        snapshot([want("governor", "scaling_governor", "performance")])


def test_interrupts_are_found_by_name_and_spread(interrupts: Path, tmp_path: Path) -> None:
    loan = applied(tmp_path, want("irq", "irq:eth0*", "spread"), want("irq", "irq:nvme*", "2-3"))
    assert [(one["identity"], one["value"]) for one in loan.settings] == [
        ("irq 40 (eth0-rx-0)", "0"),
        ("irq 41 (eth0-tx-0)", "1"),
        ("irq 42 (nvme0q1)", "2-3"),
    ]
    files = {int(path.parent.name): path for path in interrupts.glob("*/smp_affinity_list")}
    now = {number: file.read_text().strip() for number, file in sorted(files.items())}
    assert now == {7: "0-3", 40: "0", 41: "1", 42: "2-3", 43: "0-3"}
    files[41].write_text("3\n")
    outcome = restore_settings(loan.job)
    assert [one["identity"] for one in outcome["conflicts"]] == ["irq 41 (eth0-tx-0)"]
    now = {number: file.read_text().strip() for number, file in sorted(files.items())}
    assert now == {7: "0-3", 40: "0-3", 41: "3", 42: "0-3", 43: "0-3"}


def test_a_number_that_is_another_devices_now_is_let_be(interrupts: Path, tmp_path: Path) -> None:
    loan = applied(tmp_path, want("irq", "irq:nvme*", "1"))
    (interrupts / "42" / "nvme0q1").rename(interrupts / "42" / "usb3")
    (interrupts / "42" / "smp_affinity_list").write_text("2\n")
    assert [one["value"] for one in restore_settings(loan.job)["restored"]] == [None]
    assert (interrupts / "42" / "smp_affinity_list").read_text() == "2\n"


def test_one_interrupt_named_twice_is_refused(interrupts: Path) -> None:
    with pytest.raises(RefusalError, match=r"interrupt 40 is named by irq:eth0\* and by"):
        snapshot([want("irq", "irq:eth0*", "1"), want("irq", "irq:*rx*", "2")])


def test_unknown_interrupts_are_refused_with_reason(interrupts: Path) -> None:
    with pytest.raises(TuningUnavailableError, match="no interrupt that irq:mlx5"):
        snapshot([want("irq", "irq:mlx5*", "spread")])


def test_interrupts_of_a_disk_are_those_of_its_controller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller = tmp_path / "pci0000:00/0000:00:02.0"
    (controller / "virtio1/block/vda").mkdir(parents=True)
    (controller / "msi_irqs").mkdir()
    for number in ("35", "36"):
        (controller / "msi_irqs" / number).touch()
    found = irq_settings.device_interrupts(str(controller / "virtio1/block/vda"))
    assert sorted(found) == [35, 36]
    assert irq_settings.device_interrupts("/sys/devices/virtual/block/loop0") == []


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("irq:eth0*", True), ("irq:disks", True), ("irq:mlx5_comp3@pci:0000:3b:00.0", True),
        ("irq:*", False), ("irq:", False), ("eth0", False), ("irq:../1", False),
    ],
)  # fmt: skip
def test_names_of_interrupts(name: str, good: bool) -> None:
    assert is_pattern(name) is good


def test_values_of_interrupts() -> None:
    assert [is_cpu_value(one) for one in ("0-3,8", "spread", "1,", "all")] == [
        True,
        True,
        False,
        False,
    ]


def movable() -> Path | None:
    """An interrupt of this machine whose CPU anybody may choose, as its driver does not manage it;
    one of no disk and no network card.
    """
    for folder in Path("/proc/irq").glob("[0-9]*"):
        file = folder / "smp_affinity_list"
        names = [one.name for one in folder.iterdir() if one.is_dir()]
        if len(names) != 1 or not names[0].endswith(("-stats", "ttyS0", "rtc0")):
            continue
        try:
            file.write_text(file.read_text())
        except OSError:
            continue
        return file
    return None


@pytest.fixture
def real() -> Iterator[Path]:
    file = movable()
    if file is None or os.cpu_count() == 1:
        pytest.skip("no interrupt here can be moved")
    before = file.read_text()
    yield file
    if file.read_text() != before:
        file.write_text(before)


def named_here(file: Path) -> Message:
    (name,) = [one.name for one in file.parent.iterdir() if one.is_dir()]
    return {"kind": "irq", "identity": "", "name": f"irq:{name}", "value": "0"}


@pytest.mark.needs_root
def test_a_real_interrupt_is_moved_and_moved_back(client: Client, real: Path) -> None:
    before = real.read_text()
    done = client.run(["cat", str(real)], tuning=[named_here(real)])
    assert client.read(done["attempt"], "stdout") == b"0\n"
    (row,) = [one for one in done["exit"]["tuning"]["effective"] if one["kind"] == "irq"]
    read = (row["before"], row["value"], row["after"])
    assert read == (before.strip(), "0", before.strip())
    assert real.read_text() == before


@pytest.mark.needs_root
def test_and_comes_back_after_the_supervisor_was_killed(
    client: Client, gate: Gate, real: Path
) -> None:
    before = real.read_text()
    attempt = client.start(gate.argv, tuning=[named_here(real)], lease=600)
    running(client, attempt)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    gate.open()
    client.good("wait", attempt=attempt)
    assert real.read_text() == "0\n"
    (restored,) = client.good("restore_settings", attempts=[attempt])["restored"]
    assert (restored["kind"], restored["value"]) == ("irq", before.strip())
    assert real.read_text() == before
