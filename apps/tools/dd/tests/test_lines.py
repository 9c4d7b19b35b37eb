"""dd's result line in any language and notation."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.tools.dd.parser.report_lines import DdFigures, decode, figures, records

WORDS = (
    "{bytes} bytes ({size}) copied, {seconds} s, {rate}/s",
    "{bytes} Bytes ({size}, {size}) kopiert, {seconds} s, {rate}/s",
    "{bytes}\xa0octets ({size}) copiés, {seconds}\xa0s, {rate}/s",
    "{bytes} bytes ({size}) copiados, {seconds} s, {rate}/s",
    "{bytes} バイト ({size}) コピーされました、 {seconds} 秒、 {rate}/秒",
    "скопировано {bytes} байт ({size}), {seconds} c, {rate}/c",
    "{bytes} 字节 ({size}) 已复制，{seconds} 秒，{rate}/秒",
    "记录了8+0 的写出 {bytes}字节({size})已复制，{seconds} 秒，{rate}/秒",
    "{bytes} bytes ({size}) copied, {seconds} seconds, {rate}/s",
)


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("comma", [".", ","])
@given(
    moved=st.integers(1, 10**15),
    seconds=st.floats(1e-7, 1e6, allow_nan=False).map(lambda s: f"{s:g}"),
    rate=st.floats(1, 999).map(lambda r: f"{r:.1f}"),
)
def test_figures_survive_every_language(
    words: str, comma: str, moved: int, seconds: str, rate: str
) -> None:
    def local(text: str) -> str:
        return text.replace(".", comma)

    line = words.format(
        bytes=moved, size=local("1.1 GB"), seconds=local(seconds), rate=local(f"{rate} MB")
    )
    found = figures(line)
    assert found is not None, line
    assert (found.bytes, found.seconds) == (moved, float(seconds)), line
    assert found.printed is not None
    assert math.isclose(found.printed, float(rate) * 1e6)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("kopiert, 0,00676 s, 15,5 GB/s", None),
        (
            "104857600 Bytes (105 MB) kopiert, 0,00676 s, 15,5 GB/s",
            DdFigures("gnu", 104857600, 0.00676, 15.5e9),
        ),
        ("5 bytes copied, 0,5 s, 10 B/s", DdFigures("gnu", 5, 0.5, 10.0)),
        ("1 byte copied, 4,1718e-05 s, 24,0 kB/s", DdFigures("gnu", 1, 4.1718e-05, 24e3)),
        ("9 bytes copied, 0 s, Infinity B/s", DdFigures("gnu", 9, 0.0, None)),
        (
            "1048576 bytes (1.0 M) copied, 0.003 s, 330 M/s",
            DdFigures("gnu", 1048576, 0.003, 330 * 1024.0**2),
        ),
        (
            "104857600 bytes (100.0MB) copied, 0.5 seconds, 200.0MB/s",
            DdFigures("busybox", 104857600, 0.5, 200 * 1024.0**2),
        ),
        (
            "  5368709120 bytes (5369 MB, 5120 MiB) transferred 2.002s, 2681 MB/s",
            DdFigures("gnu", 5368709120, 2.002, 2681e6),
        ),
        (
            "512 bytes transferred in 0.25 secs (2048 bytes/sec)",
            DdFigures("bsd", 512, 0.25, 2048.0),
        ),
        ("100+0 records in", None),
        ("copied, 5 s, 10 MB/s", None),
        ("1000 bytes copied, 5 s, 10 MB", None),
        ("cloud disk, 1 TB, SLA: 6000 IOPS, 170MB/s", None),
        ("SLA (1 TB): 1 volume of 4096 bytes, 6000 IOPS, 170MB/s", None),
        ("4 nodes, 120 clients, 900 MB/s", None),
        (
            "1000000 zorgs (1.0 MB) blargle, 0,5 mp, 2,0 MB/mp",
            DdFigures("gnu", 1000000, 0.5, 2.0e6),
        ),
    ],
)
def test_notations(line: str, expected: DdFigures | None) -> None:
    assert figures(line) == expected


def test_old_encodings_are_tried_until_one_shows_a_result() -> None:
    chinese = "1048576 字节 (1.0 MB) 已复制，0.5 秒，2.1 MB/秒"
    for encoding in ("utf-8", "gb18030", "big5"):
        text = chinese if encoding != "big5" else chinese.replace("节", "節").replace("复", "複")
        text = text if encoding != "big5" else text.replace("制", "製")
        found = figures(decode(text.encode(encoding)))
        assert found is not None, encoding
        assert (found.bytes, found.seconds) == (1048576, 0.5)
    german = "5 Bytes (5\xa0B) kopiert, 0,5\xa0s, 10,0\xa0B/s".encode("latin-1")
    assert figures(decode(german)) == DdFigures("gnu", 5, 0.5, 10.0)


def test_records_on_one_line_or_two() -> None:
    assert records("记录了1000+0 的读入 记录了999+1 的写出") == [(1000, 0), (999, 1)]
    assert records("100+0\xa0enregistrements lus") == [(100, 0)]
    assert records("uid+1 1+a a1+1 2.5+1") == []
