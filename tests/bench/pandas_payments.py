"""Reads a bank statement with pandas, joins it with the registrations by transaction number, and marks those whose fee agrees
as verified: pandas_payments.py DATABASE STATEMENT"""
import sqlite3
import sys

import pandas

database, file = sys.argv[1:]
db = sqlite3.connect(database)
lines = pandas.read_csv(file, dtype=str).fillna("")
lines["amount"] = pandas.to_numeric(lines["Credit"].str.replace(",", ""), errors="coerce")
lines["day"] = pandas.to_datetime(lines["Txn Date"], format="%d %b %Y")
lines["number"] = lines["Description"].str.extract(r"(\d{12})")[0]
claims = pandas.read_sql("SELECT id, fee_inr, transaction_details FROM delegates WHERE payment = 'unchecked'", db)
claims["number"] = claims["transaction_details"].str.extract(r"(\d{12})")[0]
paid = claims.merge(lines.drop_duplicates("number", keep=False), on="number")
paid = paid[paid["amount"] == paid["fee_inr"]]
with db:
    db.executemany(
        "UPDATE delegates SET payment = 'verified', payment_amount = ?, payment_transaction = ? WHERE id = ?",
        [(str(row.amount), row.number, int(row.id)) for row in paid.itertuples()])
print(len(paid))
