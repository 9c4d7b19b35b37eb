"""Several calls of rados bench in one text: each result is of one call, one operation, one pool."""

from pathlib import Path

import pytest

from apps.tools.parse_result import Measurement, Output, Parsed
from apps.tools.rados import TOOL
from apps.tools.rados.params import RadosParams
from apps.tools.rados.parser.call import call_of
from apps.tools.values import Parameters

SAMPLES = Path(__file__).parent / "samples"
BLOCK = 4 * 1024**2


def parse(data: bytes) -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": b""}))


def sample(name: str) -> bytes:
    return (SAMPLES / name / "output.txt").read_bytes()


WRITE = sample("12.2--write-after-tuning")
SEQ = sample("12.2--seq-after-tuning")
RAND = sample("12.2--rand-after-tuning")


def exact(found: Measurement) -> Parameters | None:
    return TOOL.exact_params(found.params, found.operation)


def test_each_call_has_its_number_pool_and_lines() -> None:
    found = parse(WRITE + b"notes\n" + SEQ.replace(b"-p test", b"-p slow") + RAND).measurements
    assert [each.call for each in found] == [1, 2, 3]
    assert [each.target for each in found] == ["test", "slow", "test"]
    write = len(WRITE.splitlines())
    assert found[0].lines == (1, write)
    assert found[1].lines == (write + 2, write + 1 + len(SEQ.splitlines()))


def test_remarks_and_state_belong_to_the_call_that_gave_cause() -> None:
    cut = WRITE[: WRITE.index(b"Total time")]
    parsed = parse(cut + SEQ + RAND)
    write, seq, rand = parsed.measurements
    assert [each.completeness for each in parsed.measurements] == ["partial", "whole", "whole"]
    assert parsed.completeness == "partial"
    assert (len(write.warnings), len(seq.warnings), rand.warnings) == (2, 1, ())
    assert parsed.warnings == ()


@pytest.mark.parametrize(
    ("line", "params", "pool", "unread"),
    [
        (
            "# rados bench -p test 10 write",
            {"threads": 16, "bs": BLOCK, "object_size": BLOCK, "hints": True},
            "test",
            [],
        ),
        (
            "$ rados --pool=a -t 4 bench 60 write -b 64k -O 4M --no-hints --max-objects 9 | tee x",
            {"threads": 4, "bs": 65536, "object_size": BLOCK, "hints": False, "max_objects": 9},
            "a",
            [],
        ),
        (
            "rados bench -p a 10 seq -t 8 --no_verify --run-name x; date",
            {"threads": 8, "verify": False, "hints": True},
            "a",
            [],
        ),
        (
            "rados -p a bench 10 write -t $t --write-omap > out 2>&1",
            {"bs": BLOCK, "object_size": BLOCK, "hints": True},
            "a",
            ["-t $t", "--write-omap"],
        ),
        ("rados -p a bench 5 rand -t16 -k /etc/k -n client.x", {"threads": 16}, "a", []),
    ],
)
def test_a_command_line_states_the_parameters_with_their_defaults(
    line: str, params: Parameters, pool: str, unread: list[str]
) -> None:
    call = call_of(line)
    assert call is not None
    assert (call.pool, list(call.unread.values())) == (pool, unread)
    assert params.items() <= call.params.items()
    assert len(params) < 2 or params == {k: v for k, v in call.params.items() if k in params}


def test_an_option_that_the_output_explains_is_read() -> None:
    (found,) = parse(WRITE.replace(b"10 write", b"10 write -t $t")).measurements
    assert (found.params["threads"], found.unread_options) == (16, ())


def test_a_command_that_goes_on_in_the_next_line_is_one() -> None:
    (found,) = parse(
        b"rados bench -p test 10 rand \\\n  -t 64\n" + RAND.split(b"\n", 1)[1]
    ).measurements
    assert (found.params["threads"], found.lines and found.lines[0]) == (64, 2)


@pytest.mark.parametrize("data", [RAND, SEQ, sample("12.2--rand-before-tuning")])
def test_a_read_that_was_cut_has_the_block_size_of_its_table(data: bytes) -> None:
    (found,) = parse(data[: data.index(b"Total time")]).measurements
    assert found.params["bs"] == BLOCK


@pytest.mark.parametrize("operation", ["write", "seq", "rand"])
def test_an_imported_operation_is_that_of_a_planned_test(operation: str) -> None:
    data = {"write": WRITE, "seq": SEQ, "rand": RAND}[operation]
    (found,) = parse(data).measurements
    planned = RadosParams(seconds=10).canonical()
    assert exact(found) == TOOL.operation_params(planned, operation)
    assert exact(found) != TOOL.operation_params(RadosParams(seconds=20).canonical(), operation)


def test_only_writing_has_its_own_time_and_number_of_objects() -> None:
    planned = RadosParams(seconds=10, write_seconds=60, max_objects=5, verify=False).canonical()
    write, seq = (TOOL.operation_params(planned, each) for each in ("write", "seq"))
    assert (write["seconds"], seq["seconds"]) == (60, 10)
    assert (write["max_objects"], "max_objects" in seq) == (5, False)
    assert (seq["verify"], "verify" in write) == (False, False)


@pytest.mark.parametrize("missing", ["threads", "bs", "seconds", "hints", "verify"])
def test_a_result_that_lacks_a_parameter_is_not_exactly_known(missing: str) -> None:
    (found,) = parse(SEQ).measurements
    known = {name: value for name, value in found.params.items() if name != missing}
    assert TOOL.exact_params(known, "seq") is None


def test_a_parameter_of_no_plan_keeps_a_result_from_being_exactly_known() -> None:
    (found,) = parse(SEQ).measurements
    assert TOOL.exact_params({**found.params, "osd_ra": 128}, "seq") is None
    assert TOOL.exact_params(found.params, "read") is None


def test_each_call_of_a_loop_has_its_word() -> None:
    output = RAND.split(b"\n", 1)[1]
    loop = b"# for t in 1 4 16; do rados bench -p $p 10 rand -t $t; done\n"
    found = parse(loop + 3 * output + SEQ).measurements
    assert [each.params.get("threads") for each in found] == [1, 4, 16, 16]
    assert [(each.operation, each.target) for each in found] == [("rand", "")] * 3 + [
        ("seq", "test")
    ]
    two = (
        b"# for t in 1 4; do rados bench -p a 10 seq -t $t; rados bench -p a 10 rand -t $t; done\n"
    )
    found = parse(two + 4 * output).measurements
    assert [(each.operation, each.params["threads"]) for each in found] == [
        *(("seq", 1), ("rand", 1), ("seq", 4), ("rand", 4)),
    ]


def test_loops_inside_a_loop_are_called_in_their_order() -> None:
    output = RAND.split(b"\n", 1)[1]
    loop = b"for m in seq rand; do for t in 1 2; do rados bench -p x 10 $m -t $t; done; done\n"
    found = parse(loop + 4 * output).measurements
    assert [(each.operation, each.params["threads"]) for each in found] == [
        *(("seq", 1), ("seq", 2), ("rand", 1), ("rand", 2)),
    ]


def test_commands_that_stand_together_print_in_their_order() -> None:
    seq, rand = (data.split(b"\n", 1)[1] for data in (SEQ, RAND))
    listed = b"rados bench -p a 10 seq -t 4\nrados bench -p b 10 rand -t 8\n"
    found = parse(listed + seq + rand).measurements
    assert [(each.operation, each.params["threads"], each.target) for each in found] == [
        ("seq", 4, "a"),
        ("rand", 8, "b"),
    ]
    failed = b"rados bench -p a 10 seq\nerror opening pool a\nrados bench -p b 10 rand -t 8\n"
    (found_one,) = parse(failed + rand).measurements
    assert (found_one.operation, found_one.target) == ("rand", "b")


def test_a_command_of_another_operation_is_not_that_of_the_output() -> None:
    write = WRITE.split(b"\n", 1)[1]
    (found,) = parse(b"rados bench -p a 10 rand -t 8 --no-verify\n" + write).measurements
    assert (found.operation, found.target, "verify" in found.params) == ("write", "", False)
    assert found.params["threads"] == 16


def test_each_call_of_a_loop_in_several_lines_has_its_word() -> None:
    output = RAND.split(b"\n", 1)[1]
    loop = b"$ for t in 1 4; do\n> rados bench -p a 10 rand -t $t\n> done\n"
    found = parse(loop + output + output + RAND).measurements
    assert [each.params["threads"] for each in found] == [1, 4, 16]


def test_commands_inside_a_loop_print_for_each_word_in_their_order() -> None:
    seq, rand = (data.split(b"\n", 1)[1] for data in (SEQ, RAND))
    commands = b"rados bench -p a 10 seq -t $t\nrados bench -p a 10 rand -t $t\n"
    loop = b"for t in 1 4; do\n" + commands + b"done\n"
    found = parse(loop + 2 * (seq + rand)).measurements
    assert [(each.operation, each.params["threads"]) for each in found] == [
        *(("seq", 1), ("rand", 1), ("seq", 4), ("rand", 4)),
    ]
