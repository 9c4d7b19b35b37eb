"""Tables in every shape: units, headings, several reports, what is missing."""

import pytest

from apps.tools.errors import OutputError
from apps.tools.iostat import TOOL
from apps.tools.parse_result import Measurement, Output, Parsed

BANNER = "Linux 5.4.0 (host) \t01/02/2024 \t_x86_64_\t(8 CPU)\n\n"
OLD = "Device: rrqm/s wrqm/s r/s w/s rsec/s wsec/s avgrq-sz avgqu-sz await svctm %util\n"
NEW = "Device r/s rkB/s r_await rareq-sz w/s wkB/s w_await wareq-sz aqu-sz %util\n"


def parse(text: str) -> Parsed:
    return TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))


def by_device(parsed: Parsed) -> dict[tuple[str, str], Measurement]:
    return {(str(m.params["device"]), m.operation): m for m in parsed.measurements}


def test_a_wait_of_both_belongs_to_an_operation_only_if_it_was_alone() -> None:
    alone = parse(OLD + "sda 0.00 0.00 0.00 10.00 0.00 80.00 8.00 0.10 6.28 1.00 1.00\n")
    read, write = alone.measurements
    assert read.latency.mean is None
    assert write.latency.mean == 6_280_000
    both = parse(OLD + "sda 0.00 0.00 5.00 10.00 40.00 80.00 8.00 0.10 6.28 1.00 1.00\n")
    assert [m.latency.mean for m in both.measurements] == [None, None]
    assert [m.values["await"] for m in both.measurements] == [6_280_000, 6_280_000]


def test_the_devices_wait_is_the_weighted_one_where_only_parts_are_printed() -> None:
    parsed = parse(NEW + "sda 30.00 120.00 1.00 4.00 10.00 40.00 5.00 4.00 0.10 1.00\n")
    assert parsed.measurements[0].values["await"] == 2_000_000


@pytest.mark.parametrize(
    ("heading", "scale"),
    [
        ("Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn", 1024),
        ("Device: tps MB_read/s MB_wrtn/s MB_read MB_wrtn", 1024**2),
        ("Device: tps Blk_read/s Blk_wrtn/s Blk_read Blk_wrtn", 512),
        ("Gerät tps kB_read/s kB_wrtn/s kB_dscd/s kB_read kB_wrtn kB_dscd", 1024),
    ],
)
def test_plain_reports_have_bandwidth_alone(heading: str, scale: int) -> None:
    rest = " 0.00" * (len(heading.split()) - 4)
    read, write = parse(f"{heading}\nsda 7.00 2.00 3.00{rest}\n").measurements
    assert (read.bandwidth, write.bandwidth) == (2 * scale, 3 * scale)
    assert read.iops is None
    assert read.values["transfers"] == 7


def test_devices_that_come_and_go_keep_their_place_in_time() -> None:
    rows = "{} 1.00 4.00 1.00 4.00 1.00 4.00 1.00 4.00 0.10 1.00\n"
    reports = ["sda", "sdb", "sda"]
    found = by_device(parse("".join(f"\n{NEW}{rows.format(name)}" for name in reports)))
    (sda,) = [s for s in found["sda", "read"].series if s.metric == "iops"]
    (sdb,) = [s for s in found["sdb", "read"].series if s.metric == "iops"]
    assert sda.values == (1.0, None, 1.0)
    assert sdb.values == (None, 1.0, None)
    assert found["sda", "read"].values["reports"] == 2


def test_one_heading_above_many_rows_of_a_device_is_many_reports() -> None:
    row = "sda 1.00 4.00 1.00 4.00 1.00 4.00 1.00 4.00 0.10 1.00\n"
    assert parse(NEW + 4 * row).measurements[0].values["reports"] == 4


def test_the_time_since_boot_is_left_out_unless_the_command_says_so() -> None:
    row = "sda 1.00 4.00 1.00 4.00 {} 4.00 1.00 4.00 0.10 1.00\n"
    reports = "".join(f"\n{NEW}{row.format(f'{n}.00')}" for n in (900, 1, 3))
    dropped = by_device(parse(BANNER + reports))["sda", "write"]
    assert dropped.iops == 2
    assert dropped.values["since_boot"]["iops"] == 900
    asked = by_device(parse("$ iostat -xy sda 5 3\n" + BANNER + reports))["sda", "write"]
    assert asked.iops == pytest.approx(904 / 3)
    assert asked.series[0].interval == 5.0
    excerpt = by_device(parse(reports))["sda", "write"]
    assert excerpt.values["reports"] == 3


@pytest.mark.parametrize(
    ("times", "interval"),
    [
        (("12:59:58", "01:00:03", "01:00:08"), 5.0),
        (("23:59:50", "00:00:00", "00:00:10"), 10.0),
        (("04时25分25秒", "04时25分27秒", "04时25分29秒"), 2.0),
    ],
)
def test_the_interval_comes_from_the_times(times: tuple[str, ...], interval: float) -> None:
    row = "sda 1.00 4.00 1.00 4.00 1.00 4.00 1.00 4.00 0.10 1.00\n"
    text = "".join(f"01/02/24 {moment}\n{NEW}{row}\n" for moment in times)
    assert parse(text).measurements[0].series[0].interval == interval


def test_a_last_line_that_may_be_cut_is_left_out() -> None:
    text = NEW + "sda 1.00 4.00 1.00 4.00 1.00 4.00 1.00 4.00 0.10 97.42"
    assert parse(text).measurements[0].values["utilisation"] == 97.42
    for cut in (1, 2, 3, 4):
        with pytest.raises(OutputError):
            parse(text[:-cut])


def test_shared_figures_alone_are_refused() -> None:
    with pytest.raises(OutputError, match="do not tell reads from writes"):
        parse("Device tps kB/s rqm/s await areq-sz aqu-sz %util\nsda 1 2 3 4 5 6 7\n")


def test_no_number_is_no_figure() -> None:
    parsed = parse(NEW + "sda 1.00 4.00 -nan 4.00 1.00 4.00 nan 4.00 0.10 1.00\n")
    assert [m.latency.mean for m in parsed.measurements] == [None, None]
    assert parsed.measurements[0].iops == 1


@pytest.mark.parametrize(
    "data",
    [
        "r/s " * 300_000,
        NEW + "sda " * 300_000,
        NEW * 50_000,
        "iostat " * 200_000,
        "1:" * 500_000,
        NEW + "sda 1.00\n" * 100_000,
        "12:00:00\n" * 200_000,
    ],
)
@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_hostile_input_is_refused_without_hanging(data: str) -> None:
    with pytest.raises(OutputError):
        parse(data)
    TOOL.detect(data.encode())


@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_many_reports_are_read_without_hanging() -> None:
    row = "sda 1.00 4.00 1.00 4.00 1.00 4.00 1.00 4.00 0.10 1.00\n"
    parsed = parse(20_000 * f"\n{NEW}{row}")
    assert parsed.measurements[0].values["reports"] == 20_000


def test_a_device_of_one_report_among_thousands_has_no_place_in_each() -> None:
    rows = "d{} 1.00 4.00 1.00 4.00 1.00 4.00 1.00 4.00 0.10 1.00\n"
    reports = [f"\n{NEW}{rows.format(0)}{rows.format(number)}" for number in range(1, 1001)]
    found = by_device(parse("".join(reports)))
    assert [m.values["reports"] for m in found.values()] == [1000] * 2 + [1] * 2000
    assert sum(len(s.values) for m in found.values() for s in m.series) < 20_000
