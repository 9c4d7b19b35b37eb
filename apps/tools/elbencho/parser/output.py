"""Parse elbencho's CSV (docs/csv-docs.md of elbencho) or its table of results.

"Last done" is the result: all threads have finished their share. "First done" is in
`values["first_done"]`. Neither form has an end mark.
"""

from __future__ import annotations

from apps.tools.errors import OutputError
from apps.tools.parse_result import Measurement, Output, Parsed
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text

from . import csv_file, table
from .recognition import CSV_HEADING

NOTHING = "There is no result of elbencho with a rate in this output."


def parse_output(output: Output) -> Parsed:
    """Parse an import's "stdout".

    Raises: OutputError.
    """
    data = output.files.get("stdout", b"")
    if not data.strip():
        raise OutputError("The file is empty.")
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    text = as_text(data)
    is_csv = bool(CSV_HEADING.search(text))
    results: list[Measurement]
    version: str | None
    results, version = csv_file.read(text) if is_csv else (table.read(text), None)
    if not results:
        raise OutputError(NOTHING)
    return Parsed(
        tool="elbencho",
        format="csv" if is_csv else "text",
        version=version,
        measurements=tuple(results),
        completeness="unknown",
    )
