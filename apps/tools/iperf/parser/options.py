"""Options of iperf3(1) and iperf(1), by their meaning for the test.

A line of a table is a meaning and its options: `=` needs a value, `?` may have one after an equals
sign. `left` does not change the result; `unread` may change the test and has no parameter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LEFT, UNREAD = "left", "unread"

_IPERF3 = """
host: c= client=
server: s server
port: p= port=
udp: u udp
sctp: sctp
rate: b= bitrate= bandwidth=
seconds: t= time=
bytes: n= bytes=
blocks: k= blockcount=
length: l= length=
streams: P= parallel=
reverse: R reverse
bidirectional: bidir
window: w= window=
congestion: C= congestion= linux-congestion=
mss: M= set-mss=
no_delay: N no-delay
zero_copy: Z zerocopy
omit: O= omit=
tos: S= tos=
dscp: dscp=
left: V verbose J json json-stream json-stream-full-output f= format= i= interval= I= pidfile=
left: T= title= v version h help d debug? 1 one-off D daemon 4 version4 6 version6 logfile=
left: forceflush timestamps? rcv-timeout= snd-timeout= idle-timeout= rsa-private-key-path=
left: authorized-users-path= time-skew-threshold= connect-timeout= extra-data= get-server-output
left: udp-counters-64bit username= rsa-public-key-path= use-pkcs1-padding cntl-ka?
unread: F= file= A= affinity= B= bind= bind-dev= L= flowlabel= X= xbind= nstreams= pacing-timer=
unread: fq-rate= cport= repeating-payload dont-fragment server-bitrate-limit= m mptcp gsro
unread: skip-rx-copy
"""

_IPERF2 = """
host: c= client=
server: s server
port: p= port=
udp: u udp
rate: b= bandwidth=
seconds: t= time=
bytes: n= num=
length: l= len=
streams: P= parallel=
reverse: R reverse
bidirectional: full-duplex
dualtest: d dualtest
tradeoff: r tradeoff
window: w= window=
congestion: Z= tcp-congestion= linux-congestion= tcp-cca=
mss: M= mss=
no_delay: N nodelay
tos: S= tos=
left: e enhanced enhancedreports f= format= i= interval= m print_mss o= output= y= reportstyle=
left: x= reportexclude= L= listenport= v version h help 1 singleclient U single_udp D daemon
left: V ipv6_domain X peer-detect C compatibility hide-ips sum-only permit-key? no-udp-fin
left: permit-key-timeout= connect-retries= trip-times txdelay-time= txstart-time= histograms?
left: udp-histogram= connect-timeout= t-histogram
unread: z realtime B= bind= F= fileinput= I stdin T= ttl= H= ssm-host= W suggest_win_size
unread: bounceback? bounceback-congest? bounceback-hold= bounceback-period= bounceback-no-quickack
unread: connect-only? fq-rate= ipg= isochronous? incr-dstip incr-dstport incr-srcip incr-srcport
unread: local-only? near-congestion? no-connect-sync tcp-quickack tcp-write-prefetch= burst-size=
unread: tcp-write-times tcp-rx-window-clamp= tap-dev= sum-dstip burst-period= working-load?
"""


@dataclass(frozen=True)
class Option:
    """One option. `value`: "=" needs one, "?" may have one after an equals sign."""

    meaning: str
    value: str


def _table(text: str) -> Mapping[str, Option]:
    """Return options by their letter or long name."""
    table: dict[str, Option] = {}
    for line in text.strip().splitlines():
        meaning, _, words = line.partition(": ")
        for word in words.split():
            name = word.rstrip("=?")
            table[name] = Option(meaning, word[len(name) :])
    return table


OPTIONS: Mapping[str, Mapping[str, Option]] = {
    "iperf3": _table(_IPERF3),
    "iperf2": _table(_IPERF2),
}


def long_option(program: str, name: str) -> Option | None:
    """Return the option of a long name, or of its unique prefix (getopt_long)."""
    table = OPTIONS[program]
    if len(name) > 1 and name in table:
        return table[name]
    longer = {table[each] for each in table if len(each) > 1 and each.startswith(name)}
    return longer.pop() if name and len(longer) == 1 else None
