//! Imports a file: reads it with the columns that are remembered for its bank, and stores its lines.

use festival_core::db::Write;
use festival_core::{Error, Result, blocking};
use sqlx::Row as _;

use super::layout::{self, Assigned};
use super::ledger::Ledger;
use super::read;
use super::store::{Report, Source};

/// A file to import.
pub(super) struct Request<'a> {
    pub(super) bytes: Vec<u8>,
    pub(super) source: Source<'a>,
    /// Columns that somebody assigns now.
    pub(super) assigned: Assigned,
}

/// Reads a file and stores its lines that are new. Nothing is kept unless the transaction is committed.
///
/// # Errors
/// [`Error::BadRequest`] if the file is no statement. Problems of single lines are in the report.
pub(super) async fn import(ledger: &Ledger<'_>, write: &mut Write, request: Request<'_>) -> Result<Report> {
    let Request { bytes, source, assigned } = request;
    for (header, field) in &assigned {
        let sql = "INSERT INTO statement_columns (bank, header, field) VALUES ($1, $2, $3) \
                   ON CONFLICT (bank, header) DO UPDATE SET field = excluded.field";
        let query = sqlx::query(sql).bind(source.bank.to_owned()).bind(header.clone()).bind(field.clone());
        query.execute(&mut **write).await?;
    }
    let sql = "SELECT header, field FROM statement_columns WHERE bank = $1";
    let rows = sqlx::query(sql).bind(source.bank.to_owned()).fetch_all(&mut **write).await?;
    let columns: Assigned =
        rows.into_iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_>>()?;
    let today = ledger.decider.now.to_zoned(ledger.site.time_zone.clone()).date();
    let name = source.file_name.to_owned();
    let statement = blocking(move || Ok(read::read(&bytes, &name, &columns, today))).await?;
    let statement = statement.map_err(|problem| Error::BadRequest(format!("{}: {problem}", source.file_name)))?;
    ledger.import(write, statement, &source).await
}

/// Reads assignments like "Paid to us=credit".
///
/// # Errors
/// [`Error::BadRequest`] with the fields, if one names none.
pub(super) fn columns_of<'t>(texts: impl Iterator<Item = &'t str>) -> Result<Assigned> {
    let assign = |text: &str| {
        let (header, field) = text.rsplit_once('=')?;
        Some((header.trim().to_lowercase(), layout::assignable(field.trim())?.to_owned()))
    };
    texts
        .map(|text| {
            let advice =
                || format!("{text}: write HEADER=FIELD, with one of the fields {}", layout::assignable_names());
            assign(text).ok_or_else(|| Error::BadRequest(advice()))
        })
        .collect()
}
