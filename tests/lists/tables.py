"""Writes and reads spreadsheets with libraries of Python, for office.mjs.

tables.py write PROGRAM FILE < rows      rows in JSON, the header first; {"date": "2025-10-26"}, {"time": "18:30"},
                                         {"moment": "2025-10-26T18:30"} and {"minutes": 92} are cells of these types
tables.py read PROGRAM FILE... > rows    {file: rows}, each cell as text
"""

import json
import sys
from datetime import date, datetime, time, timedelta


def typed(cell):
    if not isinstance(cell, dict):
        return cell
    (kind, value), = cell.items()
    types = {"date": date, "time": time, "moment": datetime}
    return timedelta(minutes=value) if kind == "minutes" else types[kind].fromisoformat(value)


def write_openpyxl(rows, file):
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
        for cell in book.active[book.active.max_row]:
            # A text that begins like a formula is no formula.
            cell.data_type = "s" if cell.data_type == "f" else cell.data_type
    book.save(file)


def write_xlsxwriter(rows, file):
    from xlsxwriter import Workbook

    with Workbook(file, {"strings_to_formulas": False}) as book:
        formats = {date: "d/m/yyyy", time: "hh:mm", datetime: "dd/mm/yy hh:mm", timedelta: "[h]:mm:ss"}
        formats = {kind: book.add_format({"num_format": text}) for kind, text in formats.items()}
        sheet = book.add_worksheet()
        for line, row in enumerate(rows):
            for column, cell in enumerate(row):
                sheet.write(line, column, cell, formats.get(type(cell)))


def write_pandas(rows, file):
    from pandas import DataFrame, ExcelWriter

    options = {"engine_kwargs": {"options": {"strings_to_formulas": False}}} if file.endswith("xlsx") else {}
    with ExcelWriter(file, **options) as writer:
        DataFrame(rows[1:], columns=rows[0]).to_excel(writer, index=False)


def write_polars(rows, file):
    from polars import DataFrame

    DataFrame(rows[1:], schema=rows[0], orient="row").write_excel(file)


def write_odfpy(rows, file):
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    def cell(value):
        shown = "" if value is None else str(value)
        of_type = {
            int: {"valuetype": "float", "value": shown},
            date: {"valuetype": "date", "datevalue": shown},
            datetime: {"valuetype": "date", "datevalue": shown.replace(" ", "T")},
        }
        if isinstance(value, (time, timedelta)):
            hours, minutes = shown.split(":")[:2]
            of_type = {type(value): {"valuetype": "time", "timevalue": f"PT{hours}H{minutes}M00S"}}
        element = TableCell(**of_type.get(type(value), {"valuetype": "string"} if shown else {}))
        for line in shown.split("\n") if shown else []:
            element.addElement(P(text=line))
        return element

    document, table = OpenDocumentSpreadsheet(), Table(name="Sheet")
    for row in rows:
        line = TableRow()
        for value in row:
            line.addElement(cell(value))
        table.addElement(line)
    document.spreadsheet.addElement(table)
    document.save(file)


def write_pyexcel(rows, file):
    from pyexcel_ods3 import save_data

    save_data(file, {"Sheet": [["" if cell is None else cell for cell in row] for row in rows]})


def read_openpyxl(file):
    from openpyxl import load_workbook

    return load_workbook(file, read_only=True).active.values


def read_pandas(file):
    from pandas import isna, read_excel

    rows = read_excel(file, header=None, dtype=object, keep_default_na=False, na_values=[""]).values
    return [[None if isna(cell) else cell for cell in row] for row in rows]


def read_polars(file):
    import polars

    read = polars.read_ods if file.endswith("ods") else polars.read_excel
    return read(file, has_header=False, infer_schema_length=0).rows()


def read_calamine(file):
    from python_calamine import CalamineWorkbook

    return CalamineWorkbook.from_path(file).get_sheet_by_index(0).to_python()


def read_duckdb(file):
    import duckdb
    from duckdb_extensions import import_extension

    import_extension("excel")
    connection = duckdb.connect()
    connection.execute("LOAD excel")
    found = connection.execute("SELECT * FROM read_xlsx(?, header=true, empty_as_varchar=true)", [file])
    return [[column[0] for column in found.description], *found.fetchall()]


def shown(cell):
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else cell.isoformat(sep=" ", timespec="seconds") if isinstance(cell, datetime) else str(cell)


action, program, *files = sys.argv[1:]
if action == "write":
    header, *rows = json.load(sys.stdin)
    globals()[f"write_{program}"]([header, *([typed(cell) for cell in row] for row in rows)], *files)
else:
    read = globals()[f"read_{program}"]
    json.dump({file: [[shown(cell) for cell in row] for row in read(file)] for file in files}, sys.stdout)
