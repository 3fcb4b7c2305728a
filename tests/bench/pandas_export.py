"""Writes the films of the latest edition to a file with pandas, CSV or XLSX by its name: pandas_export.py DATABASE FILE"""
import sqlite3
import sys

import pandas

database, file = sys.argv[1:]
films = pandas.read_sql(
    """SELECT films.name AS "Title", original_title AS "Original title", director_name AS "Director",
        categories.name AS "Section", country AS "Country", year AS "Year", duration_minutes AS "Duration in minutes",
        language AS "Language", subtitle_language AS "Subtitle language", films.synopsis AS "Synopsis",
        cast_details AS "Cast", crew_details AS "Crew", writer_name AS "Writer", producer_name AS "Producer",
        poster_alt AS "Poster: alternative text", still_one_alt AS "First still: alternative text",
        still_two_alt AS "Second still: alternative text",
        CASE films.is_published WHEN 1 THEN 'yes' ELSE 'no' END AS "Published on the site"
    FROM films JOIN categories ON categories.id = films.category_id
    WHERE films.edition_id = (SELECT id FROM editions ORDER BY year DESC LIMIT 1)
    ORDER BY categories.position, films.position, films.id""",
    sqlite3.connect(database))
if file.endswith(".xlsx"):
    films.to_excel(file, index=False)
else:
    films.to_csv(file, index=False)
