//! Keeps a submission: its files, then everything else in one transaction, then the answer.
//!
//! Nothing is answered that is not committed. Files are in the private store before the transaction begins, so
//! that a row never names a file that is not there; files that no row came to name are removed here, or by the
//! sweep.

use festival_core::db::{Backend, Write, timestamp_text};
use festival_core::entity::table;
use festival_core::site::Site;
use festival_core::{Error, FieldError, Result};
use jiff::{SignedDuration, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use super::new_submission::NewSubmission;
use super::staged::{self, FormFile};
use super::tables::{self, Statements};
use crate::notice::Consent;
use crate::{mails, submissions};

/// What was kept, now or by an earlier request that said the same.
#[derive(Debug)]
pub(crate) struct StoredSubmission {
    pub(crate) id: i64,
    pub(crate) reference: String,
    pub(crate) received: Timestamp,
    pub(crate) is_late: bool,
}

impl StoredSubmission {
    /// Reads the columns id, reference, created_at, is_late.
    fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get(0)?,
            reference: row.try_get(1)?,
            received: row.try_get::<String, _>(2)?.parse::<Timestamp>().map_err(Error::internal)?,
            is_late: row.try_get::<i64, _>(3)? != 0,
        })
    }
}

/// A file in the private store that no row names yet.
struct StoredFile {
    field: &'static str,
    key: String,
    name: String,
    mime: String,
    size: u64,
    sha256: String,
    flags: String,
    remark: &'static str,
    /// It waits in the store under a ticket, and stays there where this submission fails.
    has_ticket: bool,
}

/// How the transaction ended.
enum Ended {
    /// The draft is kept.
    New(StoredSubmission),
    /// It had been kept before; its files are not needed.
    Before(StoredSubmission),
}

/// Keeps `draft`, unless the same was kept before. `key` is the hash of the request's Idempotency-Key.
pub(crate) async fn keep(
    site: &Site,
    mut draft: NewSubmission,
    key: Option<&str>,
    window_minutes: u32,
) -> Result<StoredSubmission> {
    let statements = tables::of(draft.entity)?;
    if let Some(key) = key
        && let Some(kept) = find_key(&mut *site.db.read().await?, key, &draft.payload_hash).await?
    {
        return Ok(kept);
    }
    let files = store_files(site, &mut draft).await?;
    let mut commit_began = false;
    let ended = write(site, &draft, statements, key, window_minutes, &files, &mut commit_began).await;
    match ended {
        Ok(Ended::New(kept)) => Ok(kept),
        Ok(Ended::Before(kept)) => {
            remove_files(site, &files).await;
            Ok(kept)
        }
        Err(error) => {
            // After a commit that failed it may not be known whether it happened: the sweep looks which files have rows.
            if !commit_began || surely_nothing_happened(site, &files).await {
                remove_files(site, &files).await;
            }
            Err(error)
        }
    }
}

async fn store_files(site: &Site, draft: &mut NewSubmission) -> Result<Vec<StoredFile>> {
    let folder = draft.entity.slug();
    let mut stored = Vec::with_capacity(draft.files.len());
    for (field, file) in &mut draft.files {
        let file = match file {
            FormFile::Sent(file) => file,
            FormFile::Uploaded(file) => {
                stored.push(StoredFile {
                    field,
                    key: file.key.clone(),
                    name: file.name.clone(),
                    mime: file.mime.clone(),
                    size: file.size,
                    sha256: file.sha256.clone(),
                    flags: file.flags.clone(),
                    remark: file.remark().unwrap_or_default(),
                    has_ticket: true,
                });
                continue;
            }
        };
        match site.media.commit_private(&folder, file).await {
            Ok(key) => stored.push(StoredFile {
                field,
                key,
                name: file.name.clone(),
                mime: file.mime.to_owned(),
                size: file.size,
                sha256: file.sha256.clone(),
                flags: file.flags.join(" "),
                remark: file.remark().unwrap_or_default(),
                has_ticket: false,
            }),
            Err(error) => {
                remove_files(site, &stored).await;
                return Err(error);
            }
        }
    }
    Ok(stored)
}

/// Whether a commit that failed left no row for sure. A connection to Postgres can break while a commit goes on at
/// the other end; SQLite has either done it or will not.
async fn surely_nothing_happened(site: &Site, files: &[StoredFile]) -> bool {
    let Some(file) = files.iter().find(|file| !file.has_ticket) else { return true };
    if site.db.backend() != Backend::Sqlite {
        return false;
    }
    let Ok(mut connection) = site.db.read().await else { return false };
    let rows: Result<i64, _> = sqlx::query_scalar("SELECT count(*) FROM submission_files WHERE key = $1")
        .bind(file.key.clone())
        .fetch_one(&mut *connection)
        .await;
    matches!(rows, Ok(0))
}

async fn remove_files(site: &Site, files: &[StoredFile]) {
    for file in files.iter().filter(|file| !file.has_ticket) {
        if let Err(error) = site.media.delete_private(&file.key).await {
            tracing::warn!(%error, "a file that is not needed stays until the next sweep");
        }
    }
}

async fn write(
    site: &Site,
    draft: &NewSubmission,
    statements: &'static Statements,
    key: Option<&str>,
    window_minutes: u32,
    files: &[StoredFile],
    commit_began: &mut bool,
) -> Result<Ended> {
    let now = timestamp_text(draft.now);
    // Before the transaction: who waits for a second connection with one in hand may wait for ever.
    let settings = site.in_force().await?;
    let mut write = site.db.write_private().await?;
    // From here on others who send to this form wait their turn: what they look for below is there or is not.
    let last = lock_counter(&mut write, draft).await?;
    if let Some(key) = key
        && let Some(kept) = find_key(&mut write, key, &draft.payload_hash).await?
    {
        write.rollback().await?;
        return Ok(Ended::Before(kept));
    }
    if let Some(kept) = find_same(&mut write, draft, statements, window_minutes).await? {
        insert_key(&mut write, draft, key, kept.id, &now).await?;
        *commit_began = key.is_some();
        write.commit().await?;
        return Ok(Ended::Before(kept));
    }
    let number = last + 1;
    let reference = format!("{}-{}-{number:04}", draft.prefix, draft.edition.year);
    set_counter(&mut write, draft, number).await?;
    let is_duplicate = is_about_the_same(&mut write, draft, statements).await?;
    let columns = draft.columns(&reference, is_duplicate);
    let mut record = draft.record.clone();
    submissions::encrypt(&site.secrets, draft.entity, &reference, &mut record)?;
    let id = table::insert_with(&mut write, draft.entity, Some(draft.edition.id), &record, &columns, &now).await?;
    for file in files {
        insert_file(&mut write, statements, id, file, &now).await?;
    }
    insert_key(&mut write, draft, key, id, &now).await?;
    insert_notice(&mut write, draft, &now).await?;
    let kept = StoredSubmission { id, reference, received: draft.now, is_late: draft.is_late };
    if !draft.is_quarantined {
        let sent: Vec<_> = files.iter().map(|file| (file.field, file.name.as_str(), file.size, file.remark)).collect();
        mails::enqueue(&mut write, (site, &settings), draft, &kept, &sent).await?;
    }
    *commit_began = true;
    write.commit().await?;
    Ok(Ended::New(kept))
}

/// The last number that was given out; the row is ours until the transaction ends.
async fn lock_counter(write: &mut Write, draft: &NewSubmission) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "INSERT INTO submission_counters (prefix, edition_id, last_number) VALUES ($1, $2, 0) \
         ON CONFLICT (prefix, edition_id) DO UPDATE SET last_number = submission_counters.last_number \
         RETURNING last_number",
    )
    .bind(draft.prefix)
    .bind(draft.edition.id)
    .fetch_one(&mut **write)
    .await?)
}

async fn set_counter(write: &mut Write, draft: &NewSubmission, number: i64) -> Result<()> {
    sqlx::query("UPDATE submission_counters SET last_number = $1 WHERE prefix = $2 AND edition_id = $3")
        .bind(number)
        .bind(draft.prefix)
        .bind(draft.edition.id)
        .execute(&mut **write)
        .await?;
    Ok(())
}

/// What was kept for a request with this key. The same key with something else in the request is an error.
async fn find_key(connection: &mut AnyConnection, key: &str, payload_hash: &str) -> Result<Option<StoredSubmission>> {
    let row =
        sqlx::query("SELECT payload_hash, submission_table, submission_id FROM submission_keys WHERE key_hash = $1")
            .bind(key.to_owned())
            .fetch_optional(&mut *connection)
            .await?;
    let Some(row) = row else { return Ok(None) };
    let (payload, table, id): (String, String, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if payload != payload_hash {
        return Err(Error::Invalid(vec![FieldError::new(
            "Idempotency-Key",
            "This key was used for a form with other content. Send it with a new key.",
        )]));
    }
    let Some(statements) = tables::of_table(&table) else { return Ok(None) };
    match sqlx::query(statements.receipt).bind(id).fetch_optional(connection).await? {
        Some(row) => StoredSubmission::read(&row).map(Some),
        None => Err(Error::Conflict("This form was received, and has been removed since.".into())),
    }
}

async fn insert_key(write: &mut Write, draft: &NewSubmission, key: Option<&str>, id: i64, now: &str) -> Result<()> {
    let Some(key) = key else { return Ok(()) };
    let inserted = sqlx::query(
        "INSERT INTO submission_keys (key_hash, payload_hash, submission_table, submission_id, created_at) \
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(key.to_owned())
    .bind(draft.payload_hash.clone())
    .bind(draft.entity.table)
    .bind(id)
    .bind(now.to_owned())
    .execute(&mut **write)
    .await;
    match inserted {
        // Another form used the same key in this very moment.
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            Err(Error::Conflict("Another request with the same Idempotency-Key is under way.".into()))
        }
        other => other.map(|_| ()).map_err(Error::from),
    }
}

/// Keeps the words of the notice that was agreed to, unless they are kept already.
async fn insert_notice(write: &mut Write, draft: &NewSubmission, now: &str) -> Result<()> {
    let Some(Consent { version, text: Some(text) }) = &draft.consent else { return Ok(()) };
    sqlx::query(
        "INSERT INTO consent_notices (version, text, created_at) VALUES ($1, $2, $3) ON CONFLICT (version) DO NOTHING",
    )
    .bind(version.clone())
    .bind(text.clone())
    .bind(now.to_owned())
    .execute(&mut **write)
    .await?;
    Ok(())
}

async fn find_same(
    write: &mut Write,
    draft: &NewSubmission,
    statements: &Statements,
    window_minutes: u32,
) -> Result<Option<StoredSubmission>> {
    let window = SignedDuration::from_secs(i64::from(window_minutes) * 60);
    let since = draft.now.checked_sub(window).unwrap_or(draft.now);
    let row = sqlx::query(statements.same)
        .bind(draft.fingerprint())
        .bind(timestamp_text(since))
        .fetch_optional(&mut **write)
        .await?;
    row.as_ref().map(StoredSubmission::read).transpose()
}

async fn is_about_the_same(write: &mut Write, draft: &NewSubmission, statements: &Statements) -> Result<bool> {
    let subject = draft.subject_hash();
    if subject.is_empty() {
        return Ok(false);
    }
    let count: i64 =
        sqlx::query_scalar(statements.about).bind(draft.edition.id).bind(subject).fetch_one(&mut **write).await?;
    Ok(count > 0)
}

async fn insert_file(write: &mut Write, statements: &Statements, id: i64, file: &StoredFile, now: &str) -> Result<()> {
    let Some(files) = &statements.files else {
        return Err(Error::internal(format!("{} have no files", statements.table)));
    };
    let inserted = sqlx::query(files.insert)
        .bind(id)
        .bind(file.field)
        .bind(file.key.clone())
        .bind(file.name.clone())
        .bind(file.mime.clone())
        .bind(i64::try_from(file.size).unwrap_or(i64::MAX))
        .bind(file.sha256.clone())
        .bind(file.flags.clone())
        .bind(now.to_owned())
        .execute(&mut **write)
        .await;
    match inserted {
        // Another submission has taken the file over: a ticket is good for one.
        Err(sqlx::Error::Database(error)) if file.has_ticket && error.is_unique_violation() => Err(staged::gone()),
        other => other.map(|_| ()).map_err(Error::from),
    }
}
