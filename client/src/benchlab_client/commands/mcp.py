"""benchlab mcp: tools for assistants over stdin and stdout."""

from __future__ import annotations

import argparse

from benchlab_client.client import Client
from benchlab_client.errors import UsageError
from benchlab_client.exit_codes import OK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: an assistant configures the address and the token."""
    parser.epilog = "It needs a read-only token. See docs/howto/assistants.md."


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Serve the Model Context Protocol until stdin ends."""
    if arguments.json:
        raise UsageError("The output of `benchlab mcp` is the protocol: it has no --json.")
    try:
        from benchlab_client.mcp.server import serve
    except ImportError:
        # A Python before 3.10 cannot install the package either.
        raise UsageError("This needs Python 3.10 and: pip install 'benchlab-client[mcp]'") from None
    serve(client)
    return OK
