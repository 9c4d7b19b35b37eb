"""Lines of both iperfs' text output other than rows: starts, ends, headings, connections."""

from __future__ import annotations

import re

from apps.tools.messages import message

HEADING = re.compile(r"^(?:.{0,40}\s)?\[ *(?:ID|SUM-cnt)\].{0,20}Interval\s")
DASHES = re.compile(r"(?:^|\s)(?:- ){5,}-?\s*$")
RULE = re.compile(r"(?:^|\s)-{20,}\s*$")
CONNECTED = re.compile(
    r"\[ *(?P<id>\*?\d{1,6})\] local (?P<local>\S{1,64}) port (?P<lport>\d{1,5}) "
    r"connected (?P<word>with|to) (?P<remote>\S{1,64}) port (?P<rport>\d{1,5})(?P<rest>.*)"
)
CLIENT = re.compile(
    r"Client connecting to (?P<host>\S{1,255}), (?P<protocol>TCP|UDP) port (?P<port>\d{1,5})"
)
SERVER = re.compile(r"Server listening on (?P<protocol>TCP|UDP) port (?P<port>\d{1,5})")
CLIENT3 = re.compile(r"Connecting to host (?P<host>\S{1,255}), port (?P<port>\d{1,5})")
SERVER3 = re.compile(r"Server listening on (?P<port>\d{1,5})")
ACCEPTED = re.compile(r"Accepted connection from (?P<host>\S{1,255}?),? port \d{1,5}")
SERVER_OUTPUT = re.compile(r"^\s{0,8}Server output:\s*$")
# iperf3's client prints the second direction of a test after the server's output.
OF_CLIENT = re.compile(r"\]\[[TR]X-C\]")
REVERSE = re.compile(r"Reverse mode, remote host")
REPORT = re.compile(r"\[ *(?P<id>\d{1,6})\] Server Report:")
SENT = re.compile(r"\[ *(?P<id>\d{1,6})\] Sent \d{1,15} datagrams")
DONE = re.compile(r"(?:^|\s)iperf Done\.")
VERSION = re.compile(r"(?:^|\s)iperf (?P<version>[23]\.\d[\w.+-]{0,20})")
PEER = re.compile(r"\(peer (?P<version>2\.\d[\w.+-]{0,20})\)")
ERROR = re.compile(
    r"(?:error - |(?:connect|write|read|bind|open) failed|unable to |the client has terminated)"
)
# A call with this error measured nothing.
NO_CALL = re.compile(
    r"unable to connect|connect failed|server is busy|parameter error|"
    r"(?:unrecognized|invalid) option|unable to create a new stream"
)
# A server that did not start measured nothing, nor did the reverse direction of -d and -r.
NO_SERVER = re.compile(r"unable to start listener|bind failed")
TERMINATED = "the client has terminated"
GONE = message("The client went away before the end of the test.")
REMARK = re.compile(r"WARNING: ")
STARTS = (CLIENT, SERVER, CLIENT3, SERVER3, ACCEPTED)
