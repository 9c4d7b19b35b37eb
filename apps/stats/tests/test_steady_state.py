"""The two rules of SNIA's steady state, on figures worked out by hand with the formulas of SSS PTS
2.0.2.

Round 3 to 7 of FALLING: 1100, 1050, 1000, 980, 970. Average 5100 / 5 = 1020. Range 1100 - 970 is
130, allowed 0.2 x 1020 = 204. Slope: sum (n - 3) y = -2 x 1100 - 1050 + 980 + 2 x 970 = -330, by
sum (n - 3)^2 = 10 is -33 a round; excursion 33 x 4 = 132, allowed 0.1 x 1020 = 102: not steady.
Round 4 to 8: 1050, 1000, 980, 970, 960. Average 992; range 90 of 198.4; slope
(-2100 - 1000 + 970 + 1920) / 10 = -21, excursion 84 of 99.2: steady.
"""

from __future__ import annotations

import pytest

from apps.stats.steady_state import steady_window, window_of

FALLING = [2000.0, 1400.0, 1100.0, 1050.0, 1000.0, 980.0, 970.0, 960.0]


def test_the_slope_rule_by_hand() -> None:
    found = window_of(FALLING, 7)
    assert found is not None
    assert (found.first, found.last) == (3, 7)
    assert found.average == 1020
    assert found.excursion == 130
    assert found.range_allowed == pytest.approx(204)
    assert found.slope == pytest.approx(-33)
    assert found.slope_excursion == pytest.approx(132)
    assert found.slope_allowed == pytest.approx(102)
    assert found.fitted_first == pytest.approx(1086)
    assert (found.range_holds, found.slope_holds, found.is_steady) == (True, False, False)


def test_both_rules_hold_one_round_later() -> None:
    found = window_of(FALLING)
    assert found is not None
    assert found.slope == pytest.approx(-21)
    assert found.slope_excursion == pytest.approx(84)
    assert found.is_steady
    assert steady_window([FALLING]) == 8


def test_the_window_that_a_vendor_printed() -> None:
    """Figures of rounds of the specification's own example were not found published, so these are a
    vendor's: the log of the SSD preconditioning test of STB Suite (SCSI Toolbox, Disk Manufacturing
    Module; log of 2012-10-11, on stbsuite.com under "SSD and SSS Preconditioning Test in DMM"),
    which goes by the same two rules. It worked with more digits than it prints.
    """
    found = window_of([228.90, 240.21, 240.60, 240.71, 240.71])
    assert found is not None
    assert found.average == pytest.approx(238.23, abs=0.005)
    assert found.excursion == pytest.approx(11.82, abs=0.011)
    assert found.slope == pytest.approx(2.41, abs=0.005)
    # Its intercept is that of the window's middle round.
    assert found.fitted_first + 2 * found.slope == pytest.approx(238.23, abs=0.005)
    assert found.slope_excursion == pytest.approx(9.66, abs=0.015)
    assert round(found.excursion / found.average * 100, 1) == 5.0
    assert found.slope_excursion / found.average * 100 == pytest.approx(4.05, abs=0.01)  # "4.1%"
    assert found.is_steady


def test_the_range_rule_alone_can_fail() -> None:
    """100, 125, 100, 100, 100: average 105, range 25 of 21; slope -2.5, excursion 10 of 10.5."""
    found = window_of([100.0, 125.0, 100.0, 100.0, 100.0])
    assert found is not None
    assert found.slope_excursion == pytest.approx(10)
    assert (found.range_holds, found.slope_holds) == (False, True)


def test_the_borders_belong_to_steady() -> None:
    """90, 110, 100, 110, 90: average 100, range 20 of 20, slope 0."""
    found = window_of([90.0, 110.0, 100.0, 110.0, 90.0])
    assert found is not None
    assert found.is_steady


def test_four_rounds_and_rounds_without_a_figure_are_no_window() -> None:
    assert window_of([1.0] * 4) is None
    assert window_of([1.0, 1.0, None, 1.0, 1.0]) is None
    assert steady_window([[1.0] * 4]) is None
    assert steady_window([]) is None


def test_all_tracks_are_steady_over_the_same_window() -> None:
    early, late = [100.0] * 8, FALLING
    assert steady_window([early]) == 5
    assert steady_window([early, late]) == 8
