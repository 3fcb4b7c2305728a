"""Reads a film list with pandas and appends it to a database: pandas_import.py DATABASE LIST"""
import sqlite3
import sys

import pandas

database, file = sys.argv[1:]
db = sqlite3.connect(database)
edition = db.execute("SELECT id FROM editions ORDER BY year DESC").fetchone()[0]
section = db.execute(
    "INSERT INTO categories (edition_id, slug, name, created_at, updated_at) VALUES (?, 'bench', 'Bench', '2026', '2026')",
    (edition,)).lastrowid
films = pandas.read_csv(file).rename(columns={
    "Title": "name", "Original Title": "original_title", "Director(s)": "director_name", "Country": "country",
    "Year": "year", "Language": "language", "Synopsis": "synopsis"})
parts = films.pop("Duration").str.extract(r"(\d+)h (\d+)m").astype(int)
films["duration_minutes"] = 60 * parts[0] + parts[1]
del films["Section"]
films = films.assign(edition_id=edition, category_id=section, position=10 * films.index, created_at="2026", updated_at="2026")
films.to_sql("films", db, if_exists="append", index=False)
