"""Slots of disks, from trees as the kernel's sysfs shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.remote.agent.disks import slots
from apps.remote.agent.disks.blocks import Block
from apps.remote.agent.disks.slots import slot
from apps.remote.agent.facts.disks import describe_disk

SES = "devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/host6"
"""A SAS controller."""
PORT = "devices/pci0000:5d/0000:5d:02.0"
"""A root port."""


@pytest.fixture
def sys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty sysfs."""
    monkeypatch.setattr(slots, "PCI_SLOTS", str(tmp_path / "bus/pci/slots"))
    return tmp_path


def block(folder: Path, name: str) -> Block:
    """The disk whose sysfs folder this is."""
    found = Block(name)
    found.folder = str(folder)
    return found


def link(place: Path, to: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(to)


def create_bay(sys: Path, name: str = "Slot 07") -> Path:
    """A bay of a backplane."""
    expander = sys / SES / "6:0:24:0"
    bay = expander / "enclosure/6:0:24:0" / name
    bay.mkdir(parents=True)
    (expander / "vendor").write_text("SMC     \n")
    (expander / "model").write_text("SC846P          \n")
    link(bay.parent / "device", expander)
    return bay


def create_sas_disk(sys: Path, name: str, bay: Path | None) -> Path:
    """A SAS disk, in a bay if it has one; its folder."""
    scsi = sys / SES / f"target-{name}/6:0:3:0"
    folder = scsi / f"block/{name}"
    folder.mkdir(parents=True)
    link(folder / "device", scsi)
    if bay:
        link(scsi / f"enclosure_device:{bay.name.replace('/', '!')}", bay)
    return folder


def create_pci_slot(sys: Path, name: str, address: str) -> None:
    folder = sys / "bus/pci/slots" / name
    folder.mkdir(parents=True)
    (folder / "address").write_text(address + "\n")


def create_nvme(sys: Path, pci: str, *, under_subsystem: bool = False) -> Block:
    """A namespace whose controller is at a PCI device."""
    controller = sys / pci / "nvme/nvme0"
    controller.mkdir(parents=True)
    link(controller / "device", sys / pci)
    subsystem = sys / "devices/virtual/nvme-subsystem/nvme-subsys0"
    owner = subsystem if under_subsystem else controller
    (owner / "nvme0n1").mkdir(parents=True)
    link(owner / "nvme0n1/device", owner)
    if under_subsystem:
        link(subsystem / "nvme0", controller)
    return block(owner / "nvme0n1", "nvme0n1")


def test_a_bay_is_named_with_the_backplane_that_has_it(sys: Path) -> None:
    folder = create_sas_disk(sys, "sdc", create_bay(sys))
    assert slot(block(folder, "sdc")) == {"slot": "Slot 07", "enclosure": "SMC SC846P"}


def test_a_disk_that_is_in_no_bay_has_no_slot(sys: Path) -> None:
    create_pci_slot(sys, "3", "0000:3b:00")
    folder = create_sas_disk(sys, "sda", None)
    # The slot of the controller is not the disk's.
    assert slot(block(folder, "sda")) == {}


def test_a_multipath_disk_is_where_its_paths_end(sys: Path) -> None:
    path = create_sas_disk(sys, "sdd", create_bay(sys, "ArrayDevice11"))
    mapped = sys / "devices/virtual/block/dm-0"
    (mapped / "dm").mkdir(parents=True)
    (mapped / "dm/uuid").write_text("mpath-35000c500a1b2c3d4\n")
    link(mapped / "slaves/sdd", path)
    assert slot(block(mapped, "dm-0"))["slot"] == "ArrayDevice11"
    (mapped / "dm/uuid").write_text("LVM-abc\n")
    assert slot(block(mapped, "dm-0")) == {}


@pytest.mark.parametrize("under_subsystem", [False, True])
def test_an_nvme_drive_is_in_its_pci_slot(sys: Path, under_subsystem: bool) -> None:
    create_pci_slot(sys, "12", "0000:5e:00")
    create_pci_slot(sys, "13", "0000:5f:00")
    create_pci_slot(sys, "4", "0000:5d:02")
    drive = create_nvme(sys, f"{PORT}/0000:5e:00.0", under_subsystem=under_subsystem)
    assert slot(drive) == {"slot": "12", "enclosure": "PCI"}


def test_an_nvme_drive_on_a_card_is_in_the_cards_slot(sys: Path) -> None:
    create_pci_slot(sys, "2-1", "0000:5e:00")
    drive = create_nvme(sys, f"{PORT}/0000:5e:00.0/0000:5f:04.0/0000:60:00.0")
    assert slot(drive)["slot"] == "2-1"


def test_a_host_without_slots_says_nothing_of_them(sys: Path) -> None:
    assert slot(create_nvme(sys, f"{PORT}/0000:5e:00.0")) == {}


def test_facts_tell_it(sys: Path, tmp_path: Path) -> None:
    folder = create_sas_disk(sys, "sdc", create_bay(sys))
    users = type("Users", (), {"mounts": {}, "swaps": set(), "system": set(), "formats": {}})()
    told = describe_disk(block(folder, "sdc"), users)
    assert (told["slot"], told["enclosure"]) == ("Slot 07", "SMC SC846P")
    bare = describe_disk(block(create_sas_disk(sys, "sda", None), "sda"), users)
    # No empty words: facts of hosts without slots stay what older agents told.
    assert "slot" not in bare
