"""The cleaning step before every parser."""

from __future__ import annotations

import json

import pytest

from apps.tools.cleaning import cleaned_text
from apps.tools.errors import OutputError
from apps.tools.parse_cli import parse_bytes
from apps.tools.parse_result import Output
from apps.tools.registry import TOOLS, parse_output

DD = (
    "5120+0 records in\n5120+0 records out\n"
    "67108864 bytes (67 MB, 64 MiB) copied, 0.5 s, 134 MB/s\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"> {line}\n" for line in DD.splitlines()),
        "".join(f"    {line}\n" for line in DD.splitlines()),
        "".join(f"\t{line}\n" for line in DD.splitlines()),
        "".join(f"Nov 02 10:00:00 node1 sh[4711]: {line}\n" for line in DD.splitlines()),
        "".join(f"2026-11-02T10:00:00Z node1 sh: {line}\n" for line in DD.splitlines()),
        "".join(f"2026-11-02 10:00:00 {line}\n" for line in DD.splitlines()),
        "".join(f"[pod/test-5x/dd] {line}\n" for line in DD.splitlines()),
        "".join(f"dd-1  | {line}\n" for line in DD.splitlines()),
        "^C" + DD,
        "\x1b[0m" + DD,
        DD.replace(" ", "\u00a0"),
    ],
    ids=[
        "quoted",
        "four-spaces",
        "tab",
        "journal",
        "log",
        "time",
        "pod",
        "container",
        "interrupt",
        "colour",
        "no-break-spaces",
    ],
)
def test_cleaned_text_with_additions_is_what_the_tool_printed(text: str) -> None:
    assert cleaned_text(text.encode()).decode().splitlines() == DD.splitlines()


def test_cleaned_text_of_a_list_of_strings_has_its_lines() -> None:
    listed = json.dumps({"stdout_lines": [*DD.splitlines(), ""]}, indent=4)
    cleaned = cleaned_text(f"ok: [node1] => {listed}\n".encode()).decode()
    assert DD in cleaned
    assert len(cleaned.splitlines()) == len(listed.splitlines())


def test_cleaned_text_of_a_string_and_the_list_of_its_lines_has_them_once() -> None:
    both = json.dumps({"stdout": DD, "stdout_lines": [*DD.splitlines(), ""]}, indent=4)
    assert cleaned_text(f"ok: [node1] => {both}\n".encode()).decode().count(DD) == 1


def test_cleaned_text_of_entities_has_their_characters() -> None:
    assert cleaned_text(b"sda: util=85.03&#37;\nread &lt; write\n") == (
        b"sda: util=85.03%\nread < write\n"
    )


def test_cleaned_text_of_a_json_string_has_its_lines() -> None:
    line = f'  "output_text": {json.dumps(DD)}\n'
    assert DD in cleaned_text(line.encode()).decode()


@pytest.mark.parametrize("data", [b'{"a": "x &amp; y\\nz"}', bytes(range(32)) * 9, b""])
def test_cleaned_text_of_documents_and_binary_data_is_unchanged(data: bytes) -> None:
    assert cleaned_text(data) == data


def test_parse_bytes_of_a_quoted_mail_has_the_records() -> None:
    quoted = "".join(f"> {line}\n" for line in DD.splitlines())
    (measurement,) = parse_bytes(None, quoted.encode()).measurements
    assert measurement.bandwidth == 134217728
    assert measurement.iops == 10240


def test_parse_output_with_an_infinite_rate_is_partial_without_it() -> None:
    text = b"67108864 bytes (67 MB, 64 MiB) copied, 1e-320 s, 134 MB/s\n"
    parsed = parse_output("dd", Output({"stdout": text, "stderr": b""}))
    assert parsed.measurements[0].bandwidth is None
    assert parsed.completeness == "partial"


def test_parse_output_with_a_negative_rate_is_partial_without_it() -> None:
    side = {"total_ios": 100, "io_bytes": 409600, "iops": -10.0, "bw_bytes": -5, "runtime": 10000}
    job = {"jobname": "a", "groupid": 0, "error": 0, "job options": {"rw": "read"}, "read": side}
    document = json.dumps({"fio version": "fio-3.33", "jobs": [job]}).encode()
    parsed = parse_output("fio", Output({"stdout": document, "stderr": b""}))
    assert all(m.bandwidth is None or m.bandwidth >= 0 for m in parsed.measurements)
    assert all(m.iops is None or m.iops >= 0 for m in parsed.measurements)
    assert parsed.completeness == "partial"


def test_parse_output_whose_parser_raises_is_an_output_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(output: Output) -> None:
        raise StopIteration

    monkeypatch.setattr(TOOLS["dd"], "parse", failing)
    with pytest.raises(OutputError):
        parse_output("dd", Output({"stdout": b"x", "stderr": b""}))
