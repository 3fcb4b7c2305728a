//! Reads the submissions of a query with their files, a batch at a time, and the edition of one.

use std::collections::HashMap;
use std::vec;

use festival_core::db::Select;
use festival_core::edition::{self, Edition};
use festival_core::entity::Datum;
use festival_core::secrets::Secrets;
use festival_core::{Error, Result};
use rocket::futures::TryStreamExt as _;
use sqlx::{AnyConnection, AssertSqlSafe, FromRow as _, Row as _};

use super::kind::SubmissionKind;
use super::submission::{SentFile, Submission};

/// Submissions per batch.
pub(crate) const BATCH_SIZE: u16 = 200;

/// Reads submissions in the order of their ids. Rows that are deleted or changed between batches do no harm.
pub(crate) struct SubmissionReader<'a> {
    secrets: &'a Secrets,
    kind: &'static SubmissionKind,
    select: &'a Select,
    last_id: i64,
    batch: vec::IntoIter<Submission>,
}

impl<'a> SubmissionReader<'a> {
    /// Creates a reader for `select`, a narrowed [`SubmissionKind::select`] of `kind`.
    pub(crate) fn new(secrets: &'a Secrets, kind: &'static SubmissionKind, select: &'a Select) -> Self {
        Self { secrets, kind, select, last_id: 0, batch: Vec::new().into_iter() }
    }

    /// Returns the submission with this id; `None` if there is none.
    pub(crate) async fn find(
        secrets: &Secrets,
        connection: &mut AnyConnection,
        (kind, id): (&'static SubmissionKind, i64),
    ) -> Result<Option<Submission>> {
        Ok(Self::find_batch(secrets, connection, kind, &[id]).await?.pop())
    }

    /// Returns those of the submissions with these ids, at most [`BATCH_SIZE`], that there are, in the order of their ids.
    pub(crate) async fn find_batch(
        secrets: &Secrets,
        connection: &mut AnyConnection,
        kind: &'static SubmissionKind,
        ids: &[i64],
    ) -> Result<Vec<Submission>> {
        let select = kind.select().among("id", ids.iter().copied().map(Datum::Integer).collect());
        Ok(SubmissionReader::new(secrets, kind, &select).next_batch(connection).await?.unwrap_or_default())
    }

    /// Returns the next submission; `None` at the end.
    pub(crate) async fn next(&mut self, connection: &mut AnyConnection) -> Result<Option<Submission>> {
        if self.batch.len() == 0
            && let Some(batch) = self.next_batch(connection).await?
        {
            self.batch = batch.into_iter();
        }
        Ok(self.batch.next())
    }

    /// Returns the next batch; `None` at the end.
    pub(crate) async fn next_batch(&mut self, connection: &mut AnyConnection) -> Result<Option<Vec<Submission>>> {
        let rows = self.select.page(connection, self.last_id, BATCH_SIZE).await?;
        let (Some((first, _)), Some((last, _))) = (rows.first(), rows.last()) else { return Ok(None) };
        let ids = (*first, *last);
        self.last_id = *last;
        let mut submissions: Vec<Submission> =
            rows.into_iter().map(|(id, values)| Submission::new(self.secrets, self.kind, id, values)).collect();
        self.read_files(connection, ids, &mut submissions).await?;
        Ok(Some(submissions))
    }

    /// Reads the files of `submissions`, whose ids are `first`, `last`, and some between them.
    async fn read_files(
        &self,
        connection: &mut AnyConnection,
        (first, last): (i64, i64),
        submissions: &mut [Submission],
    ) -> Result<()> {
        if !self.kind.has_files() {
            return Ok(());
        }
        let owner = self.kind.owner_column;
        let sql = format!(
            "SELECT {owner}, field, key, mime, size, name, flags FROM submission_files \
             WHERE {owner} >= $1 AND {owner} <= $2 ORDER BY {owner}, id"
        );
        let indexes: HashMap<i64, usize> =
            submissions.iter().enumerate().map(|(index, submission)| (submission.id, index)).collect();
        let mut rows = sqlx::query(AssertSqlSafe(sql)).bind(first).bind(last).fetch(connection);
        while let Some(row) = rows.try_next().await? {
            // There may be rows that the query leaves out between those that it selects.
            let Some(index) = indexes.get(&row.try_get(0)?) else { continue };
            submissions[*index].files.push(SentFile::from_row(&row)?);
        }
        Ok(())
    }
}

/// Returns the edition of a submission.
pub(crate) async fn edition_of(connection: &mut AnyConnection, submission: &Submission) -> Result<Edition> {
    let table = submission.kind.entity.table;
    let sql = format!("SELECT e.year FROM {table} t JOIN editions e ON e.id = t.edition_id WHERE t.id = $1");
    let year: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).bind(submission.id).fetch_one(&mut *connection).await?;
    let edition = edition::find_by_year(connection, year).await?;
    edition.ok_or_else(|| Error::internal("a submission without an edition"))
}

/// Finds the submissions of the edition that may be the same as one, because they have its subject, proof of payment or
/// poster: id and reference of each. Only kinds with files have any.
pub(crate) async fn possible_duplicates(
    connection: &mut AnyConnection,
    (kind, id): (&SubmissionKind, i64),
) -> Result<Vec<(i64, String)>> {
    let (table, owner) = (kind.entity.table, kind.owner_column);
    let sql = format!(
        "WITH same AS (SELECT s.id FROM {table} a JOIN {table} s \
         ON s.edition_id = a.edition_id AND s.subject_hash = a.subject_hash WHERE a.id = $1 AND a.subject_hash <> '' \
         UNION SELECT o.{owner} FROM submission_files f JOIN submission_files o \
         ON o.sha256 = f.sha256 AND o.field = f.field \
         WHERE f.{owner} = $1 AND f.field IN ('screenshot', 'film_poster')) \
         SELECT b.id, b.reference FROM {table} b JOIN same ON same.id = b.id WHERE b.id <> $1 AND b.is_quarantined = 0 \
         AND b.edition_id = (SELECT edition_id FROM {table} WHERE id = $1) ORDER BY b.id LIMIT 20"
    );
    Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_all(connection).await?)
}
