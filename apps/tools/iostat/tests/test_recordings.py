"""Several recordings of iostat in one text stay several; what a mailer wrapped is joined."""

import pytest

from apps.tools.errors import OutputError
from apps.tools.iostat import TOOL
from apps.tools.parse_result import Measurement, Output

NEW = "Device r/s rkB/s r_await rareq-sz w/s wkB/s w_await wareq-sz aqu-sz %util\n"
ROW = "sda {0}.00 4.00 1.00 4.00 {0}.00 4.00 1.00 4.00 0.10 1.00\n"
BANNER = "Linux 5.4.0 ({}) \t01/02/2024 \t_x86_64_\t(8 CPU)\n\n"


def report(rate: int) -> str:
    return NEW + ROW.format(rate) + "\n"


def reads(text: str) -> list[Measurement]:
    parsed = TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))
    return [each for each in parsed.measurements if each.operation == "read"]


@pytest.mark.parametrize(
    "between",
    [
        "# iostat -x sda 5 10\n",
        "# iostat -x sda 5 10 | grep sda\n",
        "[root@osd1 ~]# \n",
        "The same with larger blocks:\n",
        "看有没有效果：\n",
        "```\n\nwith larger blocks\n```\n",
    ],
)
def test_recording_begins_after_command_or_other_text(between: str) -> None:
    first, second = reads(report(1) + report(3) + between + report(10) + report(30))
    assert (first.iops, second.iops) == (2, 20)
    assert (first.call, second.call) == (1, 2)
    assert (first.target, second.target) == ("sda", "sda")


@pytest.mark.parametrize("between", ["...\n", "```\n", "sdb 1.00 2.00\n", "12:00:05\n", ""])
def test_what_is_no_word_ends_no_recording(between: str) -> None:
    (found,) = reads(report(1) + between + report(3))
    assert found.values["reports"] == 2


def test_each_host_has_its_own_time_since_boot() -> None:
    text = BANNER.format("osd1") + report(900) + report(1)
    text += BANNER.format("osd2") + report(800) + report(3)
    first, second = reads(text)
    assert (first.iops, second.iops) == (1, 3)
    assert (first.target, second.target) == ("osd1:sda", "osd2:sda")
    assert (first.lines, second.lines) == ((1, 7), (9, 15))
    assert len(first.warnings) == 1


def test_the_interval_is_that_of_its_command() -> None:
    text = "$ iostat -xy 5\n" + report(1) + report(2) + "$ iostat -xy 10\n" + report(1) + report(2)
    assert [each.values["interval"] for each in reads(text)] == [5.0, 10.0]


def test_wrapped_tables_keep_their_writes() -> None:
    wrapped = NEW.replace(" w/s", "\nw/s") + ROW.replace(
        " {0}.00 4.00 1.00 4.00 0.10", "\n{0}.00 4.00 1.00 4.00 0.10"
    )
    text = (wrapped + "\n").format(1) + (wrapped + "\n").format(3)
    parsed = TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))
    read, write = parsed.measurements
    assert (read.iops, write.iops, write.values["utilisation"]) == (2, 2, 1.0)
    assert read.values["reports"] == 2


def test_a_wait_that_was_rounded_to_nothing_is_unknown() -> None:
    heading = NEW
    (found,) = reads(heading + "sda 589 4 0 4 0 0 0 0 0 1\n")
    assert found.latency.mean is None
    assert "await" not in found.values
    (found,) = reads(heading + "sda 100 4 0 4 0 0 0 0 0 1\nsda 100 4 1 4 0 0 0 0 0 1\n")
    assert found.latency.mean == 500_000


def test_a_report_of_the_processor_alone_is_refused() -> None:
    text = (
        "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n 1.00 0.00 1.00 0.00 0.00 98.00\n"
    )
    assert TOOL.detect(text.encode())
    with pytest.raises(OutputError, match="holds no device"):
        reads(text)
