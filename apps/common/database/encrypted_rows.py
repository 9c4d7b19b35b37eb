"""Rows with secrets, of all apps: `rotate_secrets` encrypts each again. An app registers its own in
`AppConfig.ready`, as the apps below may not import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

Again = Callable[[], None]
Rows = Callable[[], Iterable[tuple[str, Again]]]
"""(name for people, encrypt it again) for each row; the latter raises SecretUnreadable."""
_ROWS: list[Rows] = []


def encrypted_rows_register(rows: Rows) -> None:
    """Have these rows encrypted again by `rotate_secrets`."""
    if rows not in _ROWS:
        _ROWS.append(rows)


def encrypted_rows() -> Iterator[tuple[str, Again]]:
    """All rows that were registered."""
    for rows in _ROWS:
        yield from rows()
