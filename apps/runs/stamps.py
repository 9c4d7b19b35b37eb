"""Stamps of runs: another one after any change to what the pages of a run show.

The database keeps them, in the transaction of each change (migration `versions_of_runs`), so that
every process sees them at once, whoever wrote: a service, a worker or somebody by hand.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from threading import Lock
from typing import NamedTuple

from django.db import connection

from apps.accounts.models import User
from apps.runs.keeping import may_delete
from apps.runs.live.progress import DONE
from apps.runs.models import FINAL_RUN, Run
from apps.runs.processes.pulses import GONE_AFTER

# Another one after a restore, which fills new tables, where versions begin at those of the backup.
DATABASE = "concat_ws(chr(28), 'runs_run'::regclass::oid, pg_postmaster_start_time())"
# Names that the page shows stand in rows of their own, and are few: they are told as they are.
STAMP = f"""
SELECT r.state, r.owner_id, r.team_id,
    concat_ws(chr(28), r.version, {DATABASE}),
    (SELECT sum(c.version) FROM runs_runchange c WHERE c.run_id = r.id),
    o.username, t.name, w.username,
    (SELECT string_agg(h.name, ' ' ORDER BY g.id)
        FROM runs_givenup g JOIN inventory_host h ON h.id = g.host_id
            JOIN runs_attempt a ON a.id = g.attempt_id JOIN runs_case c ON c.id = a.case_id
        WHERE g.ended_at IS NULL AND c.run_id = r.id),
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint
FROM runs_run r JOIN accounts_user o ON o.id = r.owner_id
    LEFT JOIN accounts_team t ON t.id = r.team_id
    LEFT JOIN accounts_user w ON w.id = r.wipe_confirmed_by_id
WHERE r.id = %s
""".strip()
# A row for all: the runs of the first page and those that run or wait, and of these also how far
# they are, which no version says.
LIST = f"""
WITH listed AS (
    (SELECT id FROM runs_run WHERE archived_at IS NULL ORDER BY id DESC LIMIT %(rows)s)
    UNION
    (SELECT id FROM runs_run WHERE state IN ('queued', 'running') ORDER BY id LIMIT %(queue)s)
)
SELECT {DATABASE}, string_agg(
        concat_ws(chr(31), r.id, r.version, o.username,
            CASE WHEN r.state IN ('queued', 'running') THEN
                (SELECT count(*) FROM runs_case c WHERE c.run_id = r.id AND c.state = ANY(%(done)s))
            END,
            CASE WHEN r.state IN ('queued', 'running') THEN
                (SELECT string_agg(m.host_name, chr(30) ORDER BY t.position, m.position)
                    FROM runs_runtarget t JOIN runs_member m ON m.run_target_id = t.id
                    WHERE t.run_id = r.id)
            END),
        chr(29) ORDER BY r.id),
    (SELECT sum(c.version) FROM runs_runchange c WHERE c.run_id IN (SELECT id FROM listed)),
    (SELECT string_agg(h.name, chr(31) ORDER BY h.id) FROM inventory_host h
        WHERE h.id IN (SELECT m.host_id FROM runs_member m WHERE m.host_name = '')),
    EXISTS (SELECT FROM runs_pulse p WHERE p.part = 'engine'
        AND p.at > statement_timestamp() - make_interval(secs => %(gone)s)),
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint
FROM listed JOIN runs_run r USING (id) JOIN accounts_user o ON o.id = r.owner_id
""".strip()
# What the API's list says stands in the rows themselves, in names, and in whether a queued run
# would be taken.
DOCUMENTS = f"""
SELECT {DATABASE}, string_agg(concat_ws(chr(31), r.id, r.version, o.username, t.name), chr(29)),
    EXISTS (SELECT FROM runs_pulse p WHERE p.part = 'engine'
        AND p.at > statement_timestamp() - make_interval(secs => %(gone)s))
FROM (SELECT * FROM runs_run WHERE archived_at IS NULL ORDER BY id DESC LIMIT %(rows)s) r
    JOIN accounts_user o ON o.id = r.owner_id LEFT JOIN accounts_team t ON t.id = r.team_id
""".strip()
# As the triggers do (migration `versions_of_runs`).
NOTE = """
INSERT INTO runs_runchange (run_id, backend, version)
    SELECT id, pg_backend_pid(), nextval('runs_versions') FROM runs_run
    WHERE state = ANY(%s) AND id = ANY(%s)
ON CONFLICT (run_id, backend) DO UPDATE SET version = excluded.version
""".strip()
MOST = 4_096
"""Stamps that a process knows."""


class RunStamp(NamedTuple):
    """All that the pages of an ended run say, but for their reader: what may not be equal after a
    change. Versions only grow, so that their sum is never the same again.
    """

    run: int
    version: str
    changes: int
    owner: str
    team: str | None
    wiper: str | None
    given_up_on: str | None


class ListStamp(NamedTuple):
    """All that the first page of the list of runs says, but for its reader."""

    database: str
    rows: str
    changes: int
    names: str | None
    engine_alive: bool


class FirstSeen:
    """The transactions that had begun when a process first saw a stamp.

    A change is noted only by a transaction that knows that the run has ended. One that wrote before
    and has not ended is not known to anybody: a page may be kept when all of those have.
    """

    def __init__(self) -> None:
        self._seen: OrderedDict[Hashable, int] = OrderedDict()
        self._lock = Lock()

    def is_settled(self, stamp: Hashable, oldest: int, next_one: int) -> bool:
        """Whether all transactions that were open when the stamp was first seen have ended, where
        `oldest` is the oldest that is open and `next_one` the next to begin.
        """
        with self._lock:
            seen = self._seen.setdefault(stamp, next_one)
            while len(self._seen) > MOST:
                self._seen.popitem(last=False)
        return oldest >= seen


FIRST_SEEN = FirstSeen()


def run_stamp(pk: int, user: User) -> tuple[object, ...] | None:
    """Stamp of the run's pages for such a reader; None while the run goes on, while it may yet
    change unseen, and where there is none. One query.
    """
    with connection.cursor() as cursor:
        cursor.execute(STAMP, [pk])
        row = cursor.fetchone()
    if row is None or row[0] not in FINAL_RUN:
        return None
    state, owner, team, version, changes, *names, oldest, next_one = row
    stamp = RunStamp(pk, version, int(changes or 0), *names)
    if not FIRST_SEEN.is_settled(stamp, oldest, next_one):
        return None
    run = Run(pk=pk, state=state, owner_id=owner, team_id=team)
    return stamp, user.role, run.is_editable(user), may_delete(run, user)


def runs_note(runs: Sequence[int]) -> None:
    """Note a change that no trigger sees, of these runs (ids) where they have ended."""
    with connection.cursor() as cursor:
        cursor.execute(NOTE, [list(FINAL_RUN), list(runs)])


def list_stamp(rows: int, queue: int, user: User) -> tuple[object, ...] | None:
    """Stamp of the first page of the list of runs, of so many rows, with that many that run or wait
    above it; None where it may yet change unseen. One query.
    """
    with connection.cursor() as cursor:
        cursor.execute(LIST, {"rows": rows + 1, "queue": queue, "done": DONE, "gone": GONE_AFTER})
        database, told, changes, names, alive, *others = cursor.fetchall()[0]
    stamp = ListStamp(database, told or "", int(changes or 0), names, alive)
    return (stamp, user.role) if FIRST_SEEN.is_settled(stamp, *others) else None


def documents_stamp(rows: int) -> tuple[object, ...]:
    """Stamp of the API's list of so many runs, the newest ones. One query."""
    with connection.cursor() as cursor:
        cursor.execute(DOCUMENTS, {"rows": rows + 1, "gone": GONE_AFTER})
        found: tuple[object, ...] = cursor.fetchall()[0]
    return found
