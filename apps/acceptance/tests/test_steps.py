"""Parameters of the fill and the tests, as fio accepts them."""

from __future__ import annotations

import pytest

from apps.acceptance.domain.steps import fill_spec, measure_spec
from apps.acceptance.schemas import FULL, SAMPLE, AcceptanceProfile, Coverage
from apps.tools.registry import TOOLS

SIZE = 16 * 10**12


@pytest.mark.parametrize("coverage", [FULL, SAMPLE])
def test_fio_accepts_the_parameters(coverage: Coverage) -> None:
    profile = AcceptanceProfile(coverage=coverage)
    kind = TOOLS["fio"].params
    assert kind is not None
    for spec in (fill_spec(profile, SIZE), measure_spec(profile, SIZE)):
        for step in spec.steps:
            kind.from_raw(dict(step.params))


def test_a_sample_is_a_hundredth_at_a_hundred_offsets() -> None:
    params = fill_spec(AcceptanceProfile(coverage=SAMPLE), SIZE).steps[0].params
    zone, distance, size = params["zonesize"], params["zonerange"], params["size"]
    assert isinstance(zone, int)
    assert isinstance(distance, int)
    assert size == 100 * zone
    assert zone == pytest.approx(SIZE / 10_000, rel=0.01)
    assert distance == pytest.approx(SIZE / 100, rel=0.001)
