#!/usr/bin/env bash
# SQLite 3.50.4 with FTS5 (PyPI package apsw 3.50.4.0, which has it built in).
#
# The tokenizer of FTS5 that is used if none is named, unicode61, takes letters, digits and private characters for parts of
# words. Vowel signs of Malayalam are marks (category Mc), at which it cuts: the title "സിനിമ കഥ" (two words) is stored as
# four tokens, three of them single consonants. A search for the unrelated "സീനാമി" finds it, because both come down to the
# same three consonants. Hindi, Tamil and Kannada have vowel signs of this category, too.
# With `tokenize = "unicode61 categories 'L* N* Co Mc Mn'"` the words stay whole, and the unrelated one finds nothing.
#
# Seen:
#   default:    ["കഥ", "ന", "മ", "സ"], "സീനാമി" finds 1
#   with marks: ["കഥ", "സിനിമ"], "സീനാമി" finds 0
#
# Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check apsw==3.50.4.0
"$folder/venv/bin/python" - <<'PY'
import json
import sys

import apsw

assert apsw.sqlite_lib_version() == "3.50.4", apsw.sqlite_lib_version()


def tokens(options):
    database = apsw.Connection(":memory:")
    database.execute(f"CREATE VIRTUAL TABLE films USING fts5(title{options})")
    database.execute("INSERT INTO films VALUES ('സിനിമ കഥ')")
    database.execute("CREATE VIRTUAL TABLE words USING fts5vocab(films, 'row')")
    words = [word for (word,) in database.execute("SELECT term FROM words ORDER BY term")]
    (found,) = database.execute("SELECT count(*) FROM films WHERE films MATCH 'സീനാമി'").fetchone()
    return words, found


default = tokens("")
with_marks = tokens(""", tokenize = "unicode61 categories 'L* N* Co Mc Mn'\"""")
for name, (words, found) in (("default:   ", default), ("with marks:", with_marks)):
    print(f'{name} {json.dumps(words, ensure_ascii=False)}, "സീനാമി" finds {found}')
sys.exit(default != (["കഥ", "ന", "മ", "സ"], 1) or with_marks != (["കഥ", "സിനിമ"], 0))
PY
