"""A file of an answer is sent while it is made."""

from __future__ import annotations

from collections.abc import Iterator

from apps.analysis.presenters.downloads import file_response
from apps.analysis.presenters.formats import File


def test_sent_pieces_are_made_when_they_are_read() -> None:
    made: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            made.append(number)
            yield b"x"

    answer = file_response(File("a.csv", "text/csv", pieces()))
    assert answer["Content-Disposition"] == 'attachment; filename="a.csv"'
    assert made == []
    assert list(answer) == [b"x"] * 3
