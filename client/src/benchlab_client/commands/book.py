"""benchlab book: reserve hosts, list or end bookings."""

from __future__ import annotations

import argparse
import datetime
from typing import List

from benchlab_client.client import Client
from benchlab_client.commands.options import identifier, seconds
from benchlab_client.errors import UsageError
from benchlab_client.exit_codes import OK
from benchlab_client.output import local_time, print_json, print_table
from benchlab_client.types import Booking


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to book, or what to do instead."""
    parser.add_argument("host", metavar="HOST", nargs="*", help="number or exact name of a host")
    parser.add_argument(
        "--from", dest="begin", type=_time, metavar="TIME",
        help="ISO 8601, such as 2026-03-01T20:00; without a zone of this machine's (default: now)",
    )  # fmt: skip
    end = parser.add_mutually_exclusive_group()
    end.add_argument("--to", type=_time, metavar="TIME", help="end, as --from")
    end.add_argument("--hours", type=seconds, metavar="N", help="length in hours")
    parser.add_argument(
        "--next-free", action="store_true",
        help="begin as soon as all hosts are free; --hours is a whole number then",
    )  # fmt: skip
    parser.add_argument("--reason", help="reason, which others read")
    parser.add_argument("--maintenance", action="store_true", help="maintenance window (admins)")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", help="list the bookings")
    instead.add_argument("--end", type=identifier, metavar="ID", help="end or cancel a booking")


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Book, list or end."""
    booking = [
        *(arguments.begin, arguments.to, arguments.hours, arguments.reason, arguments.next_free),
    ]
    if arguments.list or arguments.end:
        if any(booking) or arguments.maintenance or (arguments.end and arguments.host):
            raise UsageError("--list and --end take no other option of a booking.")
        if arguments.end:
            return _print([client.booking_end(arguments.end)], arguments, one=True)
        hosts = [host_id(client, text) for text in arguments.host]
        return _print(_bookings(client, hosts), arguments)
    if arguments.next_free:
        return _request(arguments, client)
    if not arguments.host or not arguments.reason or not (arguments.to or arguments.hours):
        raise UsageError("A booking needs HOST, --reason, and --to or --hours.")
    begin = arguments.begin or datetime.datetime.now().astimezone()
    booked = client.book(
        hosts=[host_id(client, text) for text in arguments.host],
        starts_at=begin,
        ends_at=arguments.to or begin + datetime.timedelta(hours=arguments.hours),
        reason=arguments.reason,
        kind="maintenance" if arguments.maintenance else "booking",
    )
    return _print([booked], arguments, one=True)


def _request(arguments: argparse.Namespace, client: Client) -> int:
    """Request a booking that begins by itself."""
    hours = arguments.hours
    if not arguments.host or not arguments.reason or not hours or hours != int(hours):
        raise UsageError("--next-free needs HOST, --reason, and whole --hours.")
    if arguments.begin or arguments.to or arguments.maintenance:
        raise UsageError("--next-free takes no time and is no maintenance.")
    hosts = [host_id(client, text) for text in arguments.host]
    row = client.request_booking(hosts=hosts, hours=int(hours), reason=arguments.reason)
    if arguments.json:
        print_json(row)
        return OK
    print_table(
        ("REQUEST", "HOSTS", "HOURS", "REASON"),
        [(row["id"], row["hosts"], row["hours"], row["reason"])],
    )
    return OK


def host_id(client: Client, text: str) -> int:
    """Return the id of a host by its number or exact name. Raises: UsageError."""
    if text.isascii() and text.isdigit():
        return int(text)
    for host in client.hosts(q=text):
        if host["name"] == text:
            return host["id"]
    raise UsageError(f"No host is named {text!r}.")


def _bookings(client: Client, hosts: List[int]) -> List[Booking]:
    """Return each booking once, though it may be of several hosts."""
    if not hosts:
        return list(client.bookings())
    rows = {row["id"]: row for host in hosts for row in client.bookings(host=host)}
    return [rows[id] for id in sorted(rows, reverse=True)]


def _print(rows: List[Booking], arguments: argparse.Namespace, *, one: bool = False) -> int:
    if arguments.json:
        print_json(rows[0] if one else rows)
        return OK
    print_table(
        ("ID", "KIND", "HOSTS", "POOLS", "FROM", "TO", "STATE", "OWNER", "REASON"),
        (
            (row["id"], row["kind"], row["hosts"], row["pools"], local_time(row["starts_at"]),
             local_time(row["ends_at"]), row["state"], row["owner"], row["reason"])
            for row in rows
        ),
    )  # fmt: skip
    return OK


def _time(text: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is no time in ISO 8601") from None
