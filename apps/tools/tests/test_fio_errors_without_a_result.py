"""fio that failed before it printed a result: its own sentence is the answer.

The outputs are real: fio 3.33 on a file whose blocks were overwritten between writing and reading
back, and fio 3.38 on a network file system (posted by a person).
"""

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_cli import parse_bytes

HEAD = b"""\
v: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
fio-3.33
Starting 1 process
"""
BAD = b"""\
verify: bad magic header 3e89, wanted acca at file v.dat offset 12288, length 4096 (requested block: offset=12288, length=4096)
verify: bad magic header 8f10, wanted acca at file v.dat offset 16384, length 4096 (requested block: offset=16384, length=4096)
verify: bad magic header 847e, wanted acca at file v.dat offset 20480, length 4096 (requested block: offset=20480, length=4096)
"""  # noqa: E501 # as fio prints it
RESULT = b"""
v: (groupid=0, jobs=1): err=84 (): pid=17347: Sun Nov 22 06:18:00 2026
  read: IOPS=16.0k, BW=62.5MiB/s (65.5MB/s)(64.0KiB/1msec)
"""
POSTED = b"""\
fio-readwrite-throughput: (g=0): rw=rw, bs=(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) 1024KiB-1024KiB, ioengine=windowsaio, iodepth=1
fio-3.38
Starting 1 thread
verify: bad header rand_seed 6255214275624166944, wanted 5294777006438703540 at file Z:targetdir\\fio-readwrite-throughput.0.0 offset 0, length 1048576 (requested block: offset=0, length=1048576)
fio: pid=12812, err=42/file:io_u.c:2290, func=io_u_queued_complete, error=Illegal byte sequence
"""  # noqa: E501 # as it was posted


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (
            HEAD + BAD,
            "There is no result of fio in this output. Verification failed; .*: 3; ",
        ),
        (BAD, "wanted acca at file v.dat offset 12288"),
        (POSTED, "wrote them: 1;.*error=Illegal byte sequence"),
        (POSTED.split(b"\n", 4)[4], "func=io_u_queued_complete, error=Illegal byte sequence"),
        (
            b"fio: io_u error on file /dev/vdb: Input/output error: write offset=0, buflen=4096\n",
            "Input/output error",
        ),
    ],
)
def test_output_without_result_raises_fio_message(output: bytes, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        parse_bytes(None, output)


def test_a_beginning_alone_is_known_as_fios() -> None:
    with pytest.raises(OutputError, match="no result of fio"):
        parse_bytes(None, HEAD)


def test_blocks_that_were_read_back_wrong_are_a_warning_of_a_result() -> None:
    parsed = parse_bytes(None, HEAD + BAD + RESULT)
    assert parsed.completeness == "partial"
    said = parsed.measurements[0].warnings[0]
    assert said.startswith("Verification failed; blocks that were not as fio")
