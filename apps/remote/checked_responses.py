"""Responses of the agent as types; an invalid one raises InvalidResponse with the host's name."""

from __future__ import annotations

from typing import TypeVar

from apps.tools.messages import message

from .decode import convert
from .errors import InvalidResponse
from .responses import MAX_OUTPUT_BYTES, JsonObject
from .session import Session, VerbResponse
from .status import FilePiece, Status, read_status

T = TypeVar("T")


def checked_status(session: Session, attempt: str, data: JsonObject) -> Status:
    """Return the status of an attempt. Raises: InvalidResponse."""
    try:
        return read_status(attempt, data)
    except ValueError as error:
        raise InvalidResponse(session.host, str(error)) from error


def checked_response(session: Session, value: object, kind: type[T], what: str) -> T:
    """Return the value as that type. Raises: InvalidResponse."""
    try:
        return convert(value, kind, what)
    except ValueError as error:
        raise InvalidResponse(session.host, str(error)) from error


def checked_piece(session: Session, response: VerbResponse, positions: dict[str, int]) -> FilePiece:
    """Return the next piece of a requested file and advance its position.

    Raises: InvalidResponse.
    """
    file, offset = response.data.get("file"), response.data.get("offset")
    if file not in positions or offset != positions[file] or offset > MAX_OUTPUT_BYTES:
        raise InvalidResponse(
            session.host,
            message(
                "a piece of %(file)s at %(offset)s",
                file=repr(str(file)[:80]),
                offset=str(offset)[:40],
            ),
        )
    positions[file] += len(response.payload)
    return FilePiece(str(file), positions[file] - len(response.payload), response.payload)
