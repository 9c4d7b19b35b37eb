"""Root ports and links of disks, from trees as the kernel's sysfs shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.remote.agent.disks.blocks import Block
from apps.remote.agent.disks.links import bus_of, link_of, sata_link


def create_nvme(sys: Path, drive: str, speed: str, width: str) -> Block:
    """An NVMe drive below the switch of one root port."""
    device = sys / f"devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/{drive}"
    folder = device / "nvme/nvme0/nvme0n1"
    folder.mkdir(parents=True)
    for name, text in {
        "current_link_speed": speed,
        "current_link_width": width,
        "max_link_speed": "16.0 GT/s PCIe",
        "max_link_width": "4",
    }.items():
        (device / name).write_text(text + "\n")
    (folder / "device").symlink_to(device / "nvme/nvme0")
    (device / "nvme/nvme0/device").symlink_to(device)
    block = Block("nvme0n1")
    block.folder = str(folder)
    return block


def test_drives_of_a_switch_share_a_root_port(tmp_path: Path) -> None:
    first = create_nvme(tmp_path, "0000:3c:00.0", "16.0 GT/s PCIe", "4")
    second = create_nvme(tmp_path, "0000:3c:01.0", "16.0 GT/s PCIe", "4")
    assert bus_of(first) == bus_of(second) == "0000:3a:00.0"


def test_a_narrow_link_is_slower_than_its_drive(tmp_path: Path) -> None:
    block = create_nvme(tmp_path, "0000:3c:00.0", "8.0 GT/s PCIe", "2")
    assert link_of(block) == {"rate": 16 * 10**9, "max_rate": 64 * 10**9, "unit": "T/s"}


def test_an_unknown_speed_is_no_link(tmp_path: Path) -> None:
    assert link_of(create_nvme(tmp_path, "0000:3c:00.0", "Unknown", "0")) is None


def test_a_loop_device_has_no_root_port(tmp_path: Path) -> None:
    block = Block("loop0")
    block.folder = str(tmp_path)
    assert (bus_of(block), link_of(block)) == (None, None)


def test_smartctl_names_both_speeds_of_a_sata_link() -> None:
    # smartctl -j of a 6 Gb/s disk on a 3 Gb/s port.
    document = {
        "interface_speed": {
            "max": {"string": "6.0 Gb/s", "units_per_second": 60, "bits_per_unit": 100000000},
            "current": {"string": "3.0 Gb/s", "units_per_second": 30, "bits_per_unit": 100000000},
        }
    }
    assert sata_link(document) == {"rate": 3 * 10**9, "max_rate": 6 * 10**9, "unit": "bit/s"}
    assert sata_link({"interface_speed": {"max": {}}}) is None


@pytest.mark.parametrize(
    ("rate", "link"),
    [
        ("6.0 Gbit", {"rate": 6 * 10**9, "unit": "bit/s"}),
        ("Unknown", None),
        ("Phy disabled", None),
    ],
)
def test_a_sas_disk_has_the_rate_of_its_phy(
    tmp_path: Path, rate: str, link: dict[str, object] | None
) -> None:
    port = tmp_path / "devices/pci0000:3a/0000:3a:00.0/host0/port-0:0"
    device = port / "end_device-0:0/target0:0:0/0:0:0:0"
    folder, phy = device / "block/sda", port / "phy-0:0/sas_phy/phy-0:0"
    for path in (folder, phy):
        path.mkdir(parents=True)
    (phy / "negotiated_linkrate").write_text(rate + "\n")
    (phy / "maximum_linkrate").write_text("12.0 Gbit\n")
    (folder / "device").symlink_to(device)
    block = Block("sda")
    block.folder = str(folder)
    assert link_of(block) == link
