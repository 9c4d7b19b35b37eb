"""The output formats of iperf 2 and iperf3: a file for each, and what they share."""
