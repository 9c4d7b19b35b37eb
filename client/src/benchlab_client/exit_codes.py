"""Exit codes of the command line; docs/reference/client.md explains them."""

from __future__ import annotations

OK = 0
SERVER = 1
"""The server or the network failed, or the server refused the request."""
USAGE = 2
"""Wrong arguments, or a value that the server calls invalid (400)."""
GATE_FAILED = 3
"""A gate found evidence of a difference beyond its limit."""
LOGIN = 4
"""No token, or the server refuses it or what it may do (401, 403)."""
UNDECIDED = 5
"""A gate is undecided, or its results are not comparable."""
NO_RESULT = 6
"""A watched run failed, was cancelled or lost, or a selection has no result."""
TIME_OVER = 7
"""The time of --timeout is over; the run goes on."""
INTERRUPTED = 130
"""Ctrl-C; the run goes on."""
