"""Parsers of the output formats of iperf 2 and iperf3."""
