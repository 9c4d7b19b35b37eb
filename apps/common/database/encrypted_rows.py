"""Registry of rows with secrets, which `rotate_secrets` encrypts again.

Apps register theirs in `AppConfig.ready`, because lower apps must not import them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

Again = Callable[[], None]
Rows = Callable[[], Iterable[tuple[str, Again]]]
"""(display name, re-encrypt function) of each row; the function raises SecretUnreadable."""
_ROWS: list[Rows] = []


def encrypted_rows_register(rows: Rows) -> None:
    """Register rows for re-encryption."""
    if rows not in _ROWS:
        _ROWS.append(rows)


def encrypted_rows() -> Iterator[tuple[str, Again]]:
    """Yield all registered rows."""
    for rows in _ROWS:
        yield from rows()
