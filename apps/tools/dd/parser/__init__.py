"""dd's report: its lines, the command that stands around them, and what both say together."""
