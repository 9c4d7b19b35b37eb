"""Wear of disks, from real outputs of smartctl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.disks import ocp, smart
from apps.remote.agent.disks.blocks import Block

SAMPLES = Path(__file__).parent / "samples/smartctl"


def sample(name: str) -> dict[str, Any] | None:
    return smart.parse_smart(json.loads((SAMPLES / f"{name}.json").read_text()))


def test_nvme_tells_it_in_its_own_log() -> None:
    assert sample("nvme-intel-p3700") == {
        "passed": True, "used": 5, "by": "percentage_used", "spare": 100, "hours": 41951,
        "written": 655012839 * 512_000, "resolution": 512_000, "nand_written": None,
        "media_errors": 0, "degrees": 28, "link": None,
    }  # fmt: skip


def test_a_makers_attribute_counts_down() -> None:
    dell, samsung = sample("sata-intel-s3520-dell"), sample("sata-samsung-sm843t")
    assert dell
    assert samsung
    assert (dell["used"], dell["by"]) == (0, "Percent_Life_Remaining")
    assert (samsung["used"], samsung["by"]) == (10, "Wear_Leveling_Count")
    assert (samsung["hours"], samsung["degrees"]) == (84620, 27)


def test_bytes_written_only_where_the_attribute_says_its_unit() -> None:
    dell, samsung = sample("sata-intel-s3520-dell"), sample("sata-samsung-sm843t")
    assert dell
    assert samsung
    assert (dell["written"], samsung["written"]) == (129493 * 32 * 1024**2, None)


def test_nand_bytes_of_a_sata_disk_whose_attribute_says_its_unit() -> None:
    found = sample("sata-intel-s3510-nand")
    assert found
    assert found["written"] == 62_594_010 * 32 * 1024**2
    assert found["nand_written"] == 138_721_860 * 32 * 1024**2
    assert found["resolution"] == 32 * 1024**2


def test_sas_disk_counts_in_thousandths_of_a_gigabyte() -> None:
    found = sample("sas-hitachi-h109060")
    assert found
    assert (found["written"], found["resolution"]) == (127_551_260_000_000, 10**6)


def test_sectors_of_the_device_statistics_come_before_a_makers_attribute() -> None:
    """Device statistics, page 1 (ATA Command Set - 4); an invalid value counts as none."""
    document = json.loads((SAMPLES / "sata-intel-s3510-nand.json").read_text())
    flags = {"valid": True}
    row = {"offset": 24, "name": "Logical Sectors Written", "size": 6, "value": 9, "flags": flags}
    document["ata_device_statistics"] = {"pages": [{"number": 1, "table": [row]}]}
    assert smart.host_bytes(document, {}, []) == (9 * 512, 512)
    flags["valid"] = False
    assert smart.host_bytes(document, {}, []) == (None, None)


@pytest.mark.parametrize("key", ocp.WRITTEN)
def test_ocp_log_tells_nand_bytes(key: str) -> None:
    document = json.loads((SAMPLES.parent / "ocp/smart-add-log.json").read_text())
    document[key] = document.pop("Physical media units written")
    assert ocp.parse_ocp(document) == 527_805_403_860_992
    document[key]["hi"] = 1
    assert ocp.parse_ocp(document) == 2**64 + 527_805_403_860_992
    document["Log page GUID"] = "0xc7bb98b7d0324863bb2c23990e9c722f"
    assert ocp.parse_ocp(document) is None


@pytest.mark.parametrize("text", ["", "[]", "null", '{"physical_media_units_written": 3}', "x"])
def test_bad_ocp_answers_tell_nothing(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(ocp, "run_helper", lambda argv: text)
    assert ocp.nand_bytes_of("/dev/nvme77") is None


def test_a_spinning_disk_has_no_wear() -> None:
    found = sample("sata-hgst-7k6000")
    assert found
    assert (found["used"], found["by"], found["passed"]) == (None, None, True)
    assert found["hours"] > 0


def test_the_standards_own_word_counts_before_a_makers() -> None:
    """Device statistics, page 7 (ATA Command Set - 4), as smartctl -l ssd prints them."""
    document = json.loads((SAMPLES / "sata-samsung-sm843t.json").read_text())
    row = {"offset": 8, "name": "Percentage Used Endurance Indicator", "size": 1, "value": 12}
    document["ata_device_statistics"] = {"pages": [{"number": 7, "table": [row]}]}
    found = smart.parse_smart(document)
    assert found
    assert (found["used"], found["by"]) == (12, "Percentage Used Endurance Indicator")


def test_a_disk_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sample("virtio-no-smart") is None
    asked: list[str] = []

    def helper(argv: list[str]) -> str:
        asked.append(argv[-1])
        return "smartctl: unrecognized option '-j'"

    monkeypatch.setattr(smart, "run_helper", helper)
    blocks = [Block("nvme77n1"), Block("sdzz"), Block("loop77"), Block("vdz")]
    assert smart.smart_of_all(blocks) == [None] * 4
    assert sorted(asked) == ["/dev/nvme77n1", "/dev/sdzz"]


def test_smart_data_is_reported_by_disk_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (SAMPLES / "nvme-intel-p3700.json").read_text()
    nand = (SAMPLES.parent / "ocp/smart-add-log.json").read_text()
    monkeypatch.setattr(smart, "run_helper", lambda argv: text)
    monkeypatch.setattr(ocp, "run_helper", lambda argv: nand)
    blocks = [Block("nvme77n1"), Block("loop77")]
    found = smart.smart_by_identity(blocks)
    assert list(found) == [blocks[0].identity]
    one = found[blocks[0].identity]
    assert (one["used"], one["name"]) == (5, "nvme77n1")
    assert one["nand_written"] == 527_805_403_860_992
