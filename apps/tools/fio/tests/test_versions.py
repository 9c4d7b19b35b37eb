"""Versions of fio with each option: the table, its generator, and a host's own list."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.tools.fio.options.generate_versions import document
from apps.tools.fio.options.versions import range_of, ranges, versions
from apps.tools.option_versions import OptionVersions, version_key

# First releases by fio's history, read by eye.
SINCE = {
    "3.9": ("zonemode",),
    "3.13": ("sqthread_poll", "fixedbufs", "ioengine=io_uring"),
    "3.20": ("latency_run",),
    "3.21": ("nowait",),
    "3.28": ("dedupe_mode", "cmdprio_bssplit", "cmdprio_class", "ignore_zone_limits"),
    "3.30": ("log_alternate_epoch",),
    "3.31": ("ioengine=io_uring_cmd", "dedupe_global"),
    "3.34": ("fdp", "fdp_pli"),
    "3.36": ("pi_act", "pi_chk", "cmdprio_hint", "job_start_clock_id", "fdp_pli_select"),
    "3.37": ("num_range",),
    "3.38": ("dataplacement", "write_mode", "verify_mode", "log_issue_time"),
    "3.41": ("sprandom", "spr_op", "spr_num_regions"),
    "3.42": ("ramp_size", "spr_cs"),
}


@pytest.mark.parametrize(("since", "names"), SINCE.items())
def test_first_versions(since: str, names: tuple[str, ...]) -> None:
    assert {name: range_of(name).since for name in names} == dict.fromkeys(names, since)


def test_the_table_covers_its_versions_and_names_what_went() -> None:
    assert (versions()[0], versions()[-1]) == ("3.6", "3.42")
    assert (range_of("rw").since, range_of("rw").until) == (None, None)
    assert range_of("allrandrepeat").until == "3.34"
    assert range_of("use_os_rand").until == "3.11"
    # A later name of the same option is no end.
    assert range_of("fdp_pli").until is None
    assert "plids" not in ranges()


@pytest.mark.parametrize(
    ("name", "listed", "version", "expected"),
    [
        ("fdp_pli", {"rw", "plids"}, "3.42", True),
        ("fdp_pli", {"rw", "fdp_pli"}, "3.34", True),
        ("fdp_pli", {"rw"}, "3.42", False),
        # fio's list shows sprandom, but never what belongs to it.
        ("spr_op", {"rw", "sprandom"}, "3.42", True),
        ("spr_op", {"rw"}, "3.42", False),
        ("spr_cs", {"rw", "sprandom"}, "3.41", False),
        ("sprandom", set(), "3.33", False),
        ("sprandom", set(), "fio-3.41-5-gabcdef", True),
        ("sprandom", set(), None, True),
        ("ioengine=io_uring_cmd", {"rw"}, "3.42", True),
        ("ioengine=io_uring_cmd", {"rw", "ioengine=libaio"}, "3.42", False),
    ],
)
def test_the_hosts_list_decides(
    name: str, listed: set[str], version: str | None, expected: bool
) -> None:
    assert range_of(name).is_in(listed, version) is expected


@pytest.mark.parametrize("text", [None, "", "3", "fio", "three.one"])
def test_what_is_no_version_excludes_nothing(text: str | None) -> None:
    assert version_key(text) is None
    assert OptionVersions("x", "3.9", "3.10").covers(text)


def test_versions_are_numbers() -> None:
    limits = OptionVersions("x", "3.9", "3.12.1")
    covered = [v for v in ("3.8", "3.9", "3.10", "3.12", "3.12.1", "3.13") if limits.covers(v)]
    assert covered == ["3.9", "3.10", "3.12", "3.12.1"]


def test_the_generator_reads_any_number_of_lists(tmp_path: Path) -> None:
    shown = {
        "3.9": "rw     : IO direction\n  bs    : Block size\nold : Old\n",
        "3.10": "rw     : IO direction\n  bs    : Block size\n  zonemode : Mode\n",
        "3.11": "rw     : IO direction\n  bs    : Block size\n  zonemode : Mode\n",
        "notes": "rw : not a version\n",
    }
    for version, text in shown.items():
        (tmp_path / version).mkdir()
        (tmp_path / version / "cmdhelp").write_text(text)
    (tmp_path / "3.11" / "enghelp").write_text("Available IO engines:\n\tlibaio\n\tcpuio\n")
    (tmp_path / "3.11" / "enghelp-libaio").write_text("nowait   : No wait\n")
    assert document(tmp_path) == {
        "versions": ["3.9", "3.10", "3.11"],
        "options": {
            "bs": [None, None],
            "ioengine=libaio": ["3.11", None],
            "nowait": ["3.11", None],
            "old": [None, "3.9"],
            "rw": [None, None],
            "zonemode": ["3.10", None],
        },
    }
