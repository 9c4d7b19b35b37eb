"""Export of the archive as Parquet files for DuckDB, Spark and pyarrow."""
