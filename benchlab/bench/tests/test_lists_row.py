"""The row of lists asks pages that there are, and says of each whether its aim is reached."""

from __future__ import annotations

import pytest
from django.urls import resolve

from benchlab.bench.compare import notes
from benchlab.bench.lists import AIMS, MAIN, PAGES, ROW


@pytest.mark.parametrize("path", [path for path, _aim in PAGES.values()])
def test_each_address_is_one_of_ours(path: str) -> None:
    resolve(path.format(large=7).partition("?")[0])


def test_aims_are_held_against_the_empty_view() -> None:
    assert ROW.aim is not None
    assert ROW.aim.bound == AIMS[MAIN]
    taken = {"empty": [0.01], MAIN: [0.03], "API list of runs": [0.03], "other": [1.0]}
    used = {key: [0.001] for key in taken}
    first, *said = notes(taken, used, AIMS)
    assert first == "empty view: 10.0 ms, 1.0 ms of CPU"
    assert said[0] == "page of runs: 3.0x, 0.030 s, 0.001 s of CPU, aim 4x reached"
    assert said[1].endswith("aim 2x missed")
    assert "aim" not in said[2]
