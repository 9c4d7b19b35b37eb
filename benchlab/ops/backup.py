"""bin/manage backup FILE and restore FILE: the database, and separately the keys.

The backup contains the database with raw output, and raw output stored as files
(BENCHLAB_ARTIFACT_DIR). The secret keys decrypt its SSH keys, so they are never in the same
file: `--secrets FILE` writes or reads a file of their own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_urlsafe
from typing import IO

from benchlab.local.errors import StartError
from benchlab.local.locks import BusyError, FileLock
from benchlab.local.paths import Home
from benchlab.local.processes import Stopped, Supervisor
from benchlab.local.server_urls import artifact_dir, default_owner_url
from benchlab.local.stack import (
    SERVERS_LOCK,
    manage_command,
    project_environment,
    say,
    start_postgres,
)
from benchlab.ops import archive, artifact_files, dump
from benchlab.ops.migration_files import migrations_sha256
from benchlab.ops.secret_files import keep_secrets, key_marks, put_secrets_back
from benchlab.ops.upgrade_rules import StoredVersion, upgrade_refusal
from benchlab.version import STOPS, VERSION

RECORD_SECONDS = 60


def backup(home: Home, arguments: Sequence[str]) -> int:
    """Write a backup and verify it. Raises: StartError."""
    named = _arguments("backup", "Write everything benchlab keeps to FILE.", arguments)
    return _with_database(home, lambda url: _write(home, url, named.file, named.secrets))


def restore(home: Home, arguments: Sequence[str]) -> int:
    """Fill an empty home from a backup. Raises: StartError."""
    named = _arguments("restore", "Fill an empty home (or DATABASE_URL) from FILE.", arguments)
    manifest = verified(named.file)
    made = StoredVersion(
        str(manifest.get("database_version", manifest["version"])),
        str(manifest.get("migrations", "")),
    )
    if refusal := upgrade_refusal(made, StoredVersion(VERSION, migrations_sha256()), STOPS):
        raise StartError(f"{named.file}: {refusal.text}. {refusal.todo}.")
    if FileLock(home.root / "up.lock").is_held():
        raise StartError(f"benchlab runs from {home.root}: stop it first.")
    return _with_database(home, lambda url: _fill(home, url, named.file, named.secrets))


def _arguments(name: str, about: str, words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"bin/manage {name}", description=about)
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument(
        "--secrets", metavar="FILE", type=Path, help="a second file, for BENCHLAB_HOME/secrets only"
    )
    return parser.parse_args(words)


def _with_database(home: Home, work: Callable[[str], int]) -> int:
    """Run `work` with the URL of a running database.

    DATABASE_URL, the running benchlab's, or the embedded one, started for the command.
    """
    if url := os.environ.get("DATABASE_OWNER_URL") or os.environ.get("DATABASE_URL"):
        return work(url)
    try:
        with FileLock(home.root / SERVERS_LOCK), Supervisor(_tell) as supervisor:
            return work(start_postgres(supervisor, home))
    except BusyError:
        return work(default_owner_url(home.root))
    except Stopped as stopped:
        return 128 + int(stopped.args[0])
    finally:
        for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):  # of the one that was started here
            os.environ.pop(name, None)


def _write(home: Home, url: str, file: Path, secrets: Path | None) -> int:
    unfinished = _temporary_path(file)
    try:
        with dump.connection(url) as made, _private(unfinished).open("r+b") as out:
            row = made.execute("SELECT pg_export_snapshot()").fetchone()
            snapshot = str(row[0]) if row else ""
            manifest = _manifest(home, dump.row_counts(made)) | dump.stored_version(made)
            names = artifact_files.file_names(made)
            archive.write(
                out,
                lambda take: dump.dump(url, snapshot, take),
                manifest,
                lambda file: _files(file, artifact_dir(home.root), names),
            )
        manifest = verified(unfinished)
        unfinished.rename(file)
    except OSError as error:
        raise StartError(f"{file} cannot be written: {error.strerror or error}.") from None
    finally:
        unfinished.unlink(missing_ok=True)
    _record(home, url, file, manifest)
    size, rows = file.stat().st_size / 1e6, sum(manifest["rows"].values())
    files_text = f", {manifest['files']} files of raw output" if "files" in manifest else ""
    say(f"{file}: {size:.1f} MB, {rows} rows{files_text}, read again without an error.")
    if secrets:
        keep_secrets(home, _temporary_path(secrets), secrets)
        say(f"{secrets}: the secret keys. Keep the two files apart.")
    else:
        say(
            f"The secret keys are not in it. Without {home.root / 'secrets'} (or your own "
            "BENCHLAB_ENCRYPTION_KEYS) nobody opens the SSH keys in the backup. --secrets FILE "
            "stores them in a second file."
        )
    return 0


def _record(home: Home, url: str, file: Path, manifest: archive.Manifest) -> None:
    """Record the backup in its database, for the page *System* and /metrics.

    A database that cannot record it, such as a read-only one, leaves the backup as it is.
    """
    command = manage_command(
        *("record_backup", str(file.absolute()), "--made", manifest["made"]),
        *("--size", str(file.stat().st_size)),
    )
    # The command needs no keys. With missing ones the settings would create new keys in the home.
    keys = dict.fromkeys(("SECRET_KEY", "BENCHLAB_ENCRYPTION_KEYS"), token_urlsafe())
    env = project_environment() | keys | {"BENCHLAB_HOME": str(home.root), "DATABASE_URL": url}
    try:
        subprocess.run(
            command, env=env, capture_output=True, text=True, check=True, timeout=RECORD_SECONDS
        )
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip().splitlines() or ["no reason given"])[-1]
        _tell(f"The backup is whole. benchlab could not record it: {reason}")
    except subprocess.TimeoutExpired:
        _tell("The backup is whole. benchlab could not record it: the database does not answer.")


def _files(file: IO[bytes], folder: Path, names: Sequence[str]) -> archive.Manifest:
    if not names:
        return {}
    digest = artifact_files.add_files(file, folder, names)
    return {"format": 2, "files": len(names), "files_sha256": digest}


def _manifest(home: Home, rows: dict[str, int]) -> archive.Manifest:
    if not rows.get("public.django_migrations"):
        raise StartError("The database holds nothing of benchlab's: there is nothing to keep.")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    marks = key_marks(home)
    return {"format": 1, "version": VERSION, "made": now, "rows": rows, "encryption_keys": marks}


def _temporary_path(file: Path) -> Path:
    """Return the temporary path of an unfinished file. Raises: StartError if the file exists."""
    if file.exists():
        raise StartError(f"{file} is there already; a backup never overwrites one.")
    if not file.absolute().parent.is_dir():
        raise StartError(f"There is no folder {file.absolute().parent}.")
    return file.with_name(f".{file.name}.{os.getpid()}.unfinished")


def _private(path: Path) -> Path:
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return path


def verified(file: Path) -> archive.Manifest:
    """Read a backup to its end and return its manifest.

    Verifies checksums, and every row with pg_restore. Raises: StartError.
    """
    manifest = archive.read_manifest(file)
    try:
        dump.check(lambda give: archive.read_dump(file, give))
        artifact_files.read_files(file, manifest, artifact_files.skip)
    except (tarfile.TarError, OSError) as error:
        raise StartError(f"{file} cannot be read again: {error}.") from None
    return manifest


def _fill(home: Home, url: str, file: Path, secrets: Path | None) -> int:
    with dump.connection(url) as made:
        if dump.row_counts(made):
            raise StartError(
                f"The database of {home.root} (or DATABASE_URL) holds tables already. A restore "
                "goes into an empty home: name another BENCHLAB_HOME, or an empty database."
            )
    put_back = put_secrets_back(home, secrets) if secrets else None
    manifest = archive.read_manifest(file)
    put = artifact_files.put_into(artifact_dir(home.root))
    artifact_files.read_files(file, manifest, put)
    dump.restore(url, lambda give: archive.read_dump(file, give))
    with dump.connection(url) as made:
        result = dump.row_counts(made)
    if result != manifest["rows"]:
        wrong = sorted(
            name for name in manifest["rows"] if result.get(name) != manifest["rows"][name]
        )
        raise StartError(f"Not all rows came back: {', '.join(wrong)}. Do not use this home.")
    dump.finish(url)
    if put_back:
        put_back()
    say(f"{sum(result.values())} rows of {manifest['made']} are in place. Start it with bin/up.")
    _tell_about_keys(home, manifest)
    return 0


def _tell_about_keys(home: Home, manifest: archive.Manifest) -> None:
    missing = set(manifest["encryption_keys"]) - set(key_marks(home))
    if missing:
        _tell(
            f"The keys that encrypt its SSH keys are missing. Before bin/up, put them into "
            f"{home.root / 'secrets'} (restore --secrets FILE does) or set "
            "BENCHLAB_ENCRYPTION_KEYS."
        )


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
