"""Texts of lake.sql and lake.py, which read the files that the manifest names. Pure."""

from __future__ import annotations

from apps.lake.domain.file_names import MANIFEST
from apps.lake.domain.tables import TABLES

_SQL_HEAD = f"""\
-- Views of this lake for DuckDB, one for each table. Run it in each session:
--     duckdb -init lake.sql            in the folder of the lake
-- From elsewhere, name the folder first: SET VARIABLE lake = '/srv/lake' (or 's3://bucket/lake').
SET VARIABLE lake = coalesce(getvariable('lake'), '.');
SET VARIABLE lake_files = (
    SELECT list(file) FROM (
        SELECT unnest(files) AS file FROM read_json(getvariable('lake') || '/{MANIFEST}')
    )
);
"""
_SQL_VIEW = """\
SET VARIABLE lake_{name} = (
    SELECT list(getvariable('lake') || '/' || file.path)
    FROM (SELECT unnest(getvariable('lake_files')) AS file) WHERE file.table = '{name}'
);
CREATE OR REPLACE TEMP VIEW {name} AS
    SELECT * FROM read_parquet(getvariable('lake_{name}'), hive_partitioning = true);
"""
_PYTHON = '''\
"""Temporary views of this lake for Spark, one for each table: lake.views(spark)."""

import json
import os


def views(spark, lake=os.path.dirname(os.path.abspath(__file__))):
    """Create a view of the files that the manifest names. `lake`: its folder, or s3a://..."""
    lake = lake.rstrip("/")
    names = {}
    for file in json.loads(_text(spark, lake + "/MANIFEST"))["files"]:
        names.setdefault(file["table"], []).append(lake + "/" + file["path"])
    for table, paths in names.items():
        # With the base path, Spark reads the month from the names of the folders.
        rows = spark.read.option("basePath", lake + "/" + table).parquet(*paths)
        rows.createOrReplaceTempView(table)
    return sorted(names)


def _text(spark, name):
    """Return a file by Hadoop: readers of Spark skip names that begin with an underscore."""
    path = spark._jvm.org.apache.hadoop.fs.Path(name)
    stream = path.getFileSystem(spark._jsc.hadoopConfiguration()).open(path)
    try:
        return spark._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")
    finally:
        stream.close()
'''.replace("MANIFEST", MANIFEST)


def sql_text() -> bytes:
    """Return lake.sql."""
    return (_SQL_HEAD + "".join(_SQL_VIEW.format(name=table.name) for table in TABLES)).encode()


def python_text() -> bytes:
    """Return lake.py."""
    return _PYTHON.encode()
