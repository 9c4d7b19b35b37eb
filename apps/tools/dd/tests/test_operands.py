"""Every operand of a command is a parameter of a plan or an option that was not read."""

import pytest

from apps.tools.dd import TOOL
from apps.tools.dd.params import DdParams
from apps.tools.parse_result import Measurement, Output, Parsed
from apps.tools.values import Parameters

MIB = 1024**2
RECORDS = "2+0 records in\n2+0 records out\n"
RESULT = RECORDS + "2097152 bytes (2.1 MB) copied, 0.5 s, 4.2 MB/s\n"
WRITE = "dd if=/dev/zero of=/dev/sdb bs=1M count=2"
READ = "dd if=/dev/sdb of=/dev/null bs=1M count=2"


def parse(text: str) -> Parsed:
    return TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))


def of_command(command: str) -> Measurement:
    (found,) = parse(f"$ {command}\n{RESULT}").measurements
    return found


def exact(found: Measurement) -> Parameters | None:
    if found.unread_options:
        return None
    return TOOL.exact_params(found.params, found.operation)


def planned(**raw: object) -> Parameters:
    return DdParams.from_raw({"bs": MIB, "size": 2 * MIB, "direct": False} | raw).canonical()


@pytest.mark.parametrize(
    ("command", "raw"),
    [
        (WRITE, {}),
        (f"{WRITE} status=progress", {}),
        (f"{WRITE} conv=fsync", {"fsync": True}),
        (f"{WRITE} oflag=direct,dsync conv=notrunc", {"direct": True, "dsync": True}),
        (f"{WRITE} conv=fdatasync seek=0", {"fdatasync": True}),
        (f"{READ} iflag=direct,fullblock", {"rw": "read", "direct": True}),
        (READ.replace(" count=2", ""), {"rw": "read"}),
        (WRITE.replace("1M", "$bs"), {}),
        (WRITE.replace("count=2", "count=$((1 + 1)) oflag=direct"), {"direct": True}),
        ("dd if=/dev/zero of=/dev/sdb bs=1M count=2MB", {"size": None}),
        ("dd if=/dev/zero of=/dev/sdb bs=1M count=2097152B", {}),
        ("dd if=/dev/sdb of=/dev/null bs=1M count=2M iflag=count_bytes", {"rw": "read"}),
    ],
)
def test_a_command_that_is_understood_is_the_planned_test(
    command: str, raw: dict[str, object]
) -> None:
    if raw == {"size": None}:
        assert exact(of_command(command)) is None
    else:
        assert exact(of_command(command)) == planned(**raw)


@pytest.mark.parametrize(
    ("command", "unread"),
    [
        (f"{WRITE} oflag=direct,nocache", "oflag=nocache"),
        (f"{WRITE} iflag=direct", "iflag=direct"),
        (f"{WRITE} conv=sparse,fsync", "conv=sparse"),
        (f"{WRITE} seek=100", "seek=100"),
        (f"{READ} skip=5", "skip=5"),
        (f"{WRITE.replace('sdb', 'f').replace('/dev/f', '/mnt/f')} conv=notrunc", "conv=notrunc"),
        (WRITE.replace("/dev/zero", "/dev/urandom"), "if=/dev/urandom"),
        (f"{WRITE} seek=$n", "seek=$n"),
        ("dd if=/dev/sda bs=1M | dd of=/dev/sdb bs=1M count=2", "| dd"),
        (f"{WRITE} cbs=80", "cbs=80"),
    ],
)
def test_unknown_operand_is_unread(command: str, unread: str) -> None:
    found = of_command(command)
    assert unread in found.unread_options
    assert exact(found) is None


@pytest.mark.parametrize(
    ("operands", "bs", "unread"),
    [
        ("if=/dev/sdb of=/dev/null ibs=64k obs=4k", 65536, ("ibs=64k", "obs=4k")),
        ("if=/dev/zero of=/dev/sdb ibs=64k obs=4k", 4096, ("ibs=64k", "obs=4k")),
        ("if=/dev/zero of=/dev/sdb ibs=4k obs=4k", 4096, ()),
        ("if=/dev/zero of=/dev/sdb obs=1M", MIB, ("obs=1M",)),
        ("if=/dev/sdb of=/dev/null", 512, ()),
        ("if=/dev/sdb of=/dev/null bs=$size", MIB, ()),
    ],
)
def test_the_block_size_is_that_of_the_measured_side(
    operands: str, bs: int, unread: tuple[str, ...]
) -> None:
    found = of_command(f"dd {operands}")
    assert (found.params["bs"], found.unread_options) == (bs, unread)


@pytest.mark.parametrize(
    ("records", "bs"),
    [
        ("2+0 records in\n2+0 records out\n", MIB),
        ("3+0 records in\n2+0 records out\n", MIB),
        ("1+3 records in\n1+3 records out\n", None),
        ("4+0 records in\n2+0 records out\n", None),
        ("3+0 records in\n3+0 records out\n", None),
    ],
)
def test_full_records_give_the_block_size_without_a_command(records: str, bs: int | None) -> None:
    (found,) = parse(RESULT.replace(RECORDS, records)).measurements
    assert found.params.get("bs") == bs
    assert found.params.get("size") == (2 * MIB if bs else None)


@pytest.mark.parametrize(
    ("command", "target"),
    [
        (WRITE, "/dev/sdb"),
        (READ, "/dev/sdb"),
        ("dd if=/dev/sda of=/mnt/copy bs=1M", "/mnt/copy"),
        ("dd if=/dev/zero of=/dev/null bs=1M count=2", ""),
        ("dd if=/dev/sda bs=1M | gzip", "/dev/sda"),
    ],
)
def test_the_command_names_the_target(command: str, target: str) -> None:
    assert of_command(command).target == target


def test_each_result_has_its_call_lines_errors_and_state() -> None:
    full = "dd: error writing '/dev/sdb': No space left on device\n"
    lost = "$ dd if=/dev/zero of=/none bs=1M\ndd: failed to open '/none': Read-only file system\n"
    parsed = parse(f"$ {WRITE}\n{RESULT}{lost}$ {READ}\n{full}{RESULT}notes\n{RESULT}")
    assert [each.call for each in parsed.measurements] == [1, 2, 3]
    assert [each.lines for each in parsed.measurements] == [(1, 4), (7, 11), (13, 15)]
    assert [each.completeness for each in parsed.measurements] == ["whole", "partial", "whole"]
    assert parsed.completeness == "partial"
    assert parsed.warnings == ("failed to open '/none': Read-only file system",)


def test_less_than_the_command_asks_for_is_another_test() -> None:
    short = of_command(WRITE.replace("count=2", "count=20"))
    assert short.params["size"] == 2 * MIB
    assert short.unread_options == ("count=20",)
    assert len(short.warnings) == 1
    assert short.completeness == "partial"
    assert of_command(READ.replace("count=2", "count=20")).completeness == "whole"


@pytest.mark.parametrize(
    ("between", "target", "unread"),
    [
        ("", "/tmp/f", ("of=/tmp/f",)),
        ("# echo 3 > /proc/sys/vm/drop_caches\n", "/tmp/f", ()),
        ("", "/dev/sdb", ()),
    ],
)
def test_a_read_of_what_is_in_the_page_cache_is_no_planned_one(
    between: str, target: str, unread: tuple[str, ...]
) -> None:
    write, read = (each.replace("/dev/sdb", target) for each in (WRITE, READ))
    text = f"$ {write}\n{RESULT}{between}$ {read}\n{RESULT}"
    assert [each.unread_options for each in parse(text).measurements] == [(), unread]
    direct = text.replace(read, f"{read} iflag=direct")
    assert parse(direct).measurements[1].unread_options == ()
