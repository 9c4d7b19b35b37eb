"""Talk to PostgreSQL and Valkey over their unix sockets with nothing but the standard library.

Enough to know that a server really answers and to create the database: PostgreSQL's protocol 3.0
(its manual, chapter "Frontend/Backend Protocol", messages StartupMessage, Query, ReadyForQuery,
ErrorResponse) and the inline form of the Redis protocol.
"""

from __future__ import annotations

import socket
import struct
from pathlib import Path
from typing import IO

PROTOCOL = 196608  # 3.0
SECONDS = 5.0  # for one answer; whoever waits for a start asks again


class RefusedError(Exception):
    """The server answered with an error; the text is its message."""


def unix_connection(path: Path) -> socket.socket:
    """A connection to a unix socket. Raises OSError."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(SECONDS)
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        raise
    return connection


def postgres_query(path: Path, user: str, database: str, query: str) -> list[str]:
    """Run one statement without a password; the first column of each row.

    Raises OSError when nobody listens, RefusedError when the server says no (also while it
    starts).
    """
    with unix_connection(path) as connection, connection.makefile("rb") as stream:
        words = ("user", user, "database", database)
        body = struct.pack("!i", PROTOCOL) + b"".join(w.encode() + b"\0" for w in words) + b"\0"
        connection.sendall(struct.pack("!i", len(body) + 4) + body)
        _until_ready(stream)
        body = query.encode() + b"\0"
        connection.sendall(b"Q" + struct.pack("!i", len(body) + 4) + body)
        rows = _until_ready(stream)
        connection.sendall(b"X" + struct.pack("!i", 4))
    return rows


def _until_ready(stream: IO[bytes]) -> list[str]:
    rows, refusal = [], ""
    while True:
        kind, body = _message(stream)
        if kind == b"E":
            refusal = _error_text(body)
        elif kind == b"D":
            rows.append(_first_column(body))
        if kind == b"Z" and not refusal:
            return rows
        if refusal and (kind == b"Z" or refusal.startswith("FATAL")):
            raise RefusedError(refusal)


def _message(stream: IO[bytes]) -> tuple[bytes, bytes]:
    head = stream.read(5)
    if len(head) < 5:
        raise ConnectionError("the server closed the connection")
    return head[:1], stream.read(struct.unpack("!i", head[1:])[0] - 4)


def _error_text(body: bytes) -> str:
    fields = {part[:1]: part[1:].decode(errors="replace") for part in body.split(b"\0") if part}
    return f"{fields.get(b'V', fields.get(b'S', ''))}: {fields.get(b'M', '')}"


def _first_column(body: bytes) -> str:
    (size,) = struct.unpack("!i", body[2:6])
    return "" if size < 0 else body[6 : 6 + size].decode()


def valkey_answers(path: Path) -> bool:
    """Whether the server at the socket has loaded its data and answers."""
    try:
        with unix_connection(path) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
    except OSError:
        return False
