"""The report on finished experiments: pictures, tables and one page that holds them all."""
