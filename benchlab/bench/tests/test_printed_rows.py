"""Printed and kept figures of a row, and bin/bench's exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchlab.bench import command, report
from benchlab.bench.figures import Aim, figures
from benchlab.bench.rounds import Rounds
from benchlab.bench.row import BenchRow, CannotMeasure, Measured

PEER = [1.0, 1.1, 0.9, 1.05, 0.95, 1.0, 1.02]
LOADS = ([0.5, 0.4, 0.3], [0.6, 0.4, 0.3])


def measured(ratio: float, peer: list[float] = PEER) -> Measured:
    ours = [value * ratio for value in peer]
    raw = Rounds({"ours": ours, "peer": peer}, [["ours", "peer"]] * len(peer))
    return Measured(figures(ours, peer), raw, "s", ("A note.",))


def row(ratio: float = 0.1, peer: list[float] = PEER) -> BenchRow:
    async def measure(scratch: Path, rounds: int) -> Measured:
        assert scratch.is_dir()
        return measured(ratio, peer)

    return BenchRow("example", "one over the other", Aim(0.2), 7, measure)


def test_a_row_says_ratio_interval_aim_rounds_and_load(tmp_path: Path) -> None:
    text = report.row_text(row(), measured(0.1), LOADS, tmp_path)
    assert "ratio 0.100, 95 % interval 0.100 to 0.100, 7 rounds; aim <= 0.2: yes" in text
    assert "load average 0.50 before, 0.60 after" in text
    assert "A note." in text
    assert "noisy" not in text


def test_a_noisy_row_says_so(tmp_path: Path) -> None:
    noisy = measured(0.1, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert "noisy" in report.row_text(row(), noisy, LOADS, tmp_path)
    assert report.table([(row(), noisy)]).endswith("noisy")


def test_raw_numbers_are_kept(tmp_path: Path) -> None:
    path = report.save(tmp_path / "bench", row(), measured(0.1), LOADS)
    kept = json.loads(path.read_text())
    assert kept["rounds"]["peer"] == PEER
    assert kept["figures"]["effect"]["ratio"] == pytest.approx(0.1)
    assert kept["load_average"] == {"before": LOADS[0], "after": LOADS[1]}
    assert kept["reached"] == "yes"
    assert kept["machine"]["cpus"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BENCHLAB_HOME", str(tmp_path))
    monkeypatch.setattr(command, "_install_needs", lambda: None)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    return tmp_path


def test_missing_an_aim_fails_only_when_asked_to(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "ROWS", {"example": row(0.5)})
    assert command.bench(["example"]) == 0
    assert command.bench(["--strict"]) == 1
    assert list((home / "bench").glob("*-example.json"))


def test_a_noisy_miss_is_no_failure(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "ROWS", {"example": row(0.5, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])})
    assert command.bench(["--strict"]) == 0


def test_a_row_that_cannot_be_measured_fails_with_a_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def measure(scratch: Path, rounds: int) -> Measured:
        raise CannotMeasure("it needs a disk.")

    monkeypatch.setattr(command, "ROWS", {"example": BenchRow("example", "", None, 7, measure)})
    assert command.bench([]) == 1
    assert capsys.readouterr().err == "example: not measured: it needs a disk.\n"


@pytest.mark.parametrize("arguments", [["nonsense"], ["--rounds", "5"]])
def test_what_cannot_be_asked_for_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.bench(arguments)
    assert ended.value.code == 2
