"""Arrays behind disks: MD and multipath from trees of sysfs, MegaRAID from storcli's documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.disks import arrays, megaraid
from apps.remote.agent.disks.blocks import Block

SAMPLES = Path(__file__).parent / "samples/storcli"


def document(name: str) -> str:
    return (SAMPLES / f"{name}.json").read_text()


def drives(name: str = "release7-vall") -> list[dict[str, Any]]:
    caches = megaraid.parse_caches(document("release7-call"))
    return megaraid.parse_virtual_drives(document(name), caches)


def create_block(sys: Path, name: str, files: dict[str, str]) -> Block:
    """A disk in a sysfs of ours."""
    folder = sys / "devices" / name
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text + "\n")
    block = Block(name)
    block.folder = str(folder)
    return block


def stack(sys: Path, upper: Block, *lower: str) -> None:
    """Lay a device on disks or partitions."""
    slaves = Path(upper.folder) / "slaves"
    slaves.mkdir(parents=True, exist_ok=True)
    for name in lower:
        (slaves / Path(name).name).symlink_to(sys / "devices" / name)


def create_md(sys: Path, level: str, disks: str, **files: str) -> Block:
    content = {"md/level": level, "md/raid_disks": disks, "md/chunk_size": "524288"}
    md = create_block(sys, "md0", {**content, **{f"md/{k}": v for k, v in files.items()}})
    for name in ("sda", "sdb"):
        create_block(sys, name, {"device/vendor": "ATA", "device/model": "WDC WD40EFRX-68N"})
        create_block(sys, f"{name}/{name}1", {"partition": "1"})
    stack(sys, md, "sda/sda1", "sdb/sdb1")
    return md


def test_virtual_drives_of_release_7_are_read() -> None:
    mirror, parity, striped = drives()
    assert mirror == {
        "level": "raid1", "disks": 2, "disk_model": "SAMSUNG MZ7LH480HAHQ-00005",
        "chunk_bytes": 256 * 1024, "write_policy": "write_back", "degraded": False,
        "naa": "600605b010e943702a3372bf4d29f6a7", "node": "/dev/sda",
        "cache_bytes": 1709 * 1024**2, "battery": True,
    }  # fmt: skip
    # Degraded: four of five disks are listed.
    assert (parity["level"], parity["disks"], parity["degraded"]) == ("raid5", 5, True)
    assert (parity["chunk_bytes"], parity["write_policy"]) == (65536, "write_through")
    # Two spans of two disks, of two models.
    assert (striped["level"], striped["disks"], striped["disk_model"]) == ("raid10", 4, "")
    assert striped["chunk_bytes"] == 1024**2


def test_virtual_drives_of_release_8_are_read() -> None:
    (one,) = drives("release8-vall")
    assert (one["level"], one["disks"], one["chunk_bytes"]) == ("raid0", 1, 64 * 1024)
    assert (one["disk_model"], one["write_policy"]) == ("SAMSUNG MZ7L3960HCJR-00AK1", "write_back")


@pytest.mark.parametrize("text", ["", "No controller found", "[]", '{"Controllers": [{}]}'])
def test_storcli_without_drives_gives_none(text: str) -> None:
    assert megaraid.parse_virtual_drives(text, megaraid.parse_caches(text)) == []


@pytest.mark.parametrize(
    ("hardware", "size", "battery"),
    [({"On Board Memory Size": "1024 MB", "BBU": "Absent"}, 1024**3, False),
     ({"On Board Memory Size": "0 KB"}, None, None),
     ({"On Board Memory Size": "2048MB", "BBU": "Yes"}, 2 * 1024**3, None)],
)  # fmt: skip
def test_cache_of_controller_is_read(
    hardware: dict[str, str], size: int | None, battery: bool | None
) -> None:
    row = {"Command Status": {"Controller": 1}, "Response Data": {"HwCfg": hardware}}
    text = json.dumps({"Controllers": [row]})
    assert megaraid.parse_caches(text) == {"1": {"cache_bytes": size, "battery": battery}}


def test_program_that_finds_drives_reads_their_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mpi3mr").mkdir()
    commands: list[list[str]] = []

    def answer(argv: list[str]) -> str:
        commands.append(argv)
        if argv[0] == "storcli64":
            return '{"Controllers": [{"Command Status": {"Status": "Failure"}}]}'
        if argv[0] != "/opt/MegaRAID/storcli2/storcli2":
            return ""
        return document("release8-vall" if "/call/vall" in argv else "release7-call")

    monkeypatch.setattr(megaraid, "run_helper", answer)
    assert megaraid.virtual_drives() == []
    assert commands == []
    monkeypatch.setattr(megaraid, "PCI_DRIVERS", str(tmp_path))
    (one,) = megaraid.virtual_drives()
    assert (one["naa"], one["cache_bytes"]) == (
        "62cf89bd43a7af80679aa6b751349581",
        1709 * 1024**2,
    )
    assert commands[0] == ["storcli64", "/call/vall", "show", "all", "J", "nolog"]


def test_disk_and_multipath_disk_get_their_virtual_drive(tmp_path: Path) -> None:
    wwid = {"device/wwid": "naa.600605b010e943702a3372c04d2fb6b9", "device/state": "running"}
    disk = create_block(tmp_path, "sdz", wwid)
    other = create_block(tmp_path, "sdy", {"device/wwid": "naa.5000c500a1b2c3d4"})
    mapped = create_block(tmp_path, "dm-3", {"dm/uuid": "mpath-3600605b010e943702a3372c04d2fb6b9"})
    create_block(tmp_path, "sdx", {**wwid, "device/state": "offline"})
    stack(tmp_path, mapped, "sdz", "sdx")
    found = arrays.array_of(disk, drives())
    assert found is not None
    assert found["disks"] == 5
    assert not {"naa", "node"} & set(found)
    assert arrays.array_of(mapped, drives()) == found
    assert arrays.array_of(other, drives()) is None
    assert arrays.paths_of(mapped) == [
        {"name": "sdx", "state": "offline"},
        {"name": "sdz", "state": "running"},
    ]
    assert arrays.paths_of(disk) == []


def test_md_array_is_read(tmp_path: Path) -> None:
    md = create_md(tmp_path, "raid5", "4 (3)", degraded="1", layout="2")
    assert arrays.array_of(md, []) == {
        "level": "raid5", "disks": 4, "disk_model": "WDC WD40EFRX-68N", "chunk_bytes": 524288,
        "write_policy": "", "cache_bytes": None, "battery": None, "degraded": True,
    }  # fmt: skip
    volume = create_block(tmp_path, "dm-0", {"dm/uuid": "LVM-abc"})
    stack(tmp_path, volume, "md0")
    assert arrays.array_of(volume, []) == arrays.array_of(md, [])


@pytest.mark.parametrize(
    ("level", "disks", "layout", "expected"),
    [("raid10", "4", "258", True), ("raid10", "4", "66049", True), ("raid10", "3", "258", False),
     ("raid10", "6", "259", False), ("linear", "2", "0", False), ("raid0", "2", "0", True)],
)  # fmt: skip
def test_md_level_that_cannot_be_calculated_gives_none(
    tmp_path: Path, level: str, disks: str, layout: str, expected: bool
) -> None:
    md = create_md(tmp_path, level, disks, layout=layout)
    assert (arrays.array_of(md, []) is not None) is expected


def test_volume_over_several_disks_has_no_array(tmp_path: Path) -> None:
    create_md(tmp_path, "raid1", "2")
    volume = create_block(tmp_path, "dm-0", {"dm/uuid": "LVM-abc"})
    stack(tmp_path, volume, "sda", "sdb")
    assert arrays.array_of(volume, drives()) is None


def test_facts_carry_arrays_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "virtual_drives", list)
    md = create_md(tmp_path, "raid1", "2")
    plain = create_block(tmp_path, "sdq", {"device/model": "x"})
    assert list(arrays.arrays_by_name([md, plain])) == ["md0"]
