"""Store: results as Parquet files in a folder that says what it holds."""
