"""Wear of disks, from real outputs of smartctl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.disks import smart
from apps.remote.agent.disks.blocks import Block

SAMPLES = Path(__file__).parent / "samples/smartctl"


def sample(name: str) -> dict[str, Any] | None:
    return smart.parse_smart(json.loads((SAMPLES / f"{name}.json").read_text()))


def test_nvme_tells_it_in_its_own_log() -> None:
    assert sample("nvme-intel-p3700") == {
        "passed": True, "used": 5, "by": "percentage_used", "spare": 100, "hours": 41951,
        "written": 655012839 * 512_000, "media_errors": 0, "degrees": 28,
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
    monkeypatch.setattr(smart, "run_helper", lambda argv: text)
    blocks = [Block("nvme77n1"), Block("loop77")]
    found = smart.smart_by_identity(blocks)
    assert list(found) == [blocks[0].identity]
    assert found[blocks[0].identity]["used"] == 5
