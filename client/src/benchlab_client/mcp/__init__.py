"""Model Context Protocol server: read-only tools for assistants. Python 3.10 or newer."""
