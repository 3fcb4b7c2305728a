"""Loads a film list into the tables of a site with Python's executemany: the yardstick for the import.

    executemany.py DATABASE LIST

Rows, their history and their sections as the import writes them, in one transaction; nothing is checked or compared."""
import csv
import json
import re
import sqlite3
import sys

NOW = "2026-01-01T00:00:00.000Z"
FILM = ["category", "name", "original_title", "director_name", "writer_name", "producer_name", "cast_details",
        "crew_details", "synopsis", "year", "country", "language", "subtitle_language", "duration_minutes", "poster",
        "poster_alt", "still_one", "still_one_alt", "still_two", "still_two_alt", "position", "is_published"]
HEADERS = {"Title": "name", "Original Title": "original_title", "Director(s)": "director_name", "Country": "country",
           "Year": "year", "Duration": "duration_minutes", "Language": "language", "Section": "category",
           "Synopsis": "synopsis"}

database, file = sys.argv[1:]
db = sqlite3.connect(database)
db.execute("PRAGMA synchronous = FULL")
db.execute("PRAGMA foreign_keys = ON")
db.execute("BEGIN IMMEDIATE")
edition = db.execute("SELECT id FROM editions ORDER BY year DESC").fetchone()[0]
sections = {}


def section(name):
    if name not in sections:
        slug = "bench-" + re.sub("[^a-z0-9]+", "-", name.lower())
        values = (edition, slug, name, NOW, NOW)
        sql = "INSERT INTO categories (edition_id, slug, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)"
        sections[name] = db.execute(sql, values).lastrowid
    return sections[name]


def minutes(text):
    hours, minutes = re.fullmatch(r"(\d+)h (\d+)m", text).groups()
    return 60 * int(hours) + int(minutes)


def film(number, row):
    values = dict.fromkeys(FILM)
    values.update((field, row[header]) for header, field in HEADERS.items())
    values.update(year=int(row["Year"]), duration_minutes=minutes(row["Duration"]), category=section(row["Section"]),
                  position=10 * number, is_published=1)
    return values


with open(file, newline="", encoding="utf-8") as lines:
    films = [film(number, row) for number, row in enumerate(csv.DictReader(lines), 1)]
first = db.execute("SELECT coalesce(max(id), 0) + 1 FROM films").fetchone()[0]
columns = ["category_id", *FILM[1:]]
marks = ", ".join("?" * (len(columns) + 4))
db.executemany(
    f"INSERT INTO films (id, edition_id, {', '.join(columns)}, created_at, updated_at) VALUES ({marks})",
    ((id, edition, *values.values(), NOW, NOW) for id, values in enumerate(films, first)))
db.executemany(
    "INSERT INTO revisions (entity, row_id, edition_id, action, title, record, editor, at) "
    "VALUES ('films', ?, ?, 'created', ?, ?, 'bench', ?)",
    ((id, edition, values["name"], json.dumps(values, ensure_ascii=False), NOW)
     for id, values in enumerate(films, first)))
db.execute("COMMIT")
