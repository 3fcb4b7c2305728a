//! Stores a submission: its files first, then its rows and mails in one transaction.
//!
//! Files reach the private store before the transaction begins, so that a row never references a missing file. Files that
//! end up without a row are deleted here on failure, otherwise by the next sweep.

use std::collections::BTreeMap;

use festival_core::db::{Backend, Test, Write, time_before, timestamp_text, update_rows};
use festival_core::entity::{Datum, table};
use festival_core::site::Site;
use festival_core::{Error, FieldError, Result};
use jiff::SignedDuration;
use sqlx::{AnyConnection, AssertSqlSafe};

use super::new_submission::NewSubmission;
use super::staged::{self, FormFile, StoredFile};
use crate::decider::Decider;
use crate::description::SENDER;
use crate::fee_reduction;
use crate::findings::Finding;
use crate::mails::{SubmissionMails, receipt};
use crate::notice::Consent;
use crate::review::events::{self, NewEvent};
use crate::submissions::{self, Submission, SubmissionKind, SubmissionReader};

/// Result of the transaction.
enum Outcome {
    Stored(Submission),
    /// The submission repeats a stored one; its files are not needed.
    Repeated(Submission),
}

/// Stores a submission with its files and mails, or returns the stored one that it repeats.
///
/// A submission is a repetition if it has the Idempotency-Key of another, whose hash is `key`, or equals one from the last
/// minutes, as many as the settings say, in every field and file.
///
/// # Errors
/// [`Error::Invalid`] if the key was used for another form or a ticket has expired, [`Error::Conflict`] if the key is in use
/// or its submission was deleted, and those of the database and the store. Nothing is stored then.
pub(super) async fn store(mut submission: NewSubmission<'_>, key: Option<&str>) -> Result<Submission> {
    let site = submission.form.site;
    if let Some(key) = key
        && let Some(stored) = find_key(site, &mut *site.db.read().await?, key, &submission.payload_hash).await?
    {
        return Ok(stored);
    }
    let mut commit_started = false;
    let outcome = match store_files(&mut submission).await {
        Ok(()) => write(&mut submission, key, &mut commit_started).await,
        Err(error) => Err(error),
    };
    let files = &submission.form.files;
    match outcome {
        Ok(Outcome::Stored(stored)) => Ok(stored),
        Ok(Outcome::Repeated(stored)) => {
            remove_files(site, files).await;
            Ok(stored)
        }
        Err(error) => {
            // If the result of a failed commit is not known, the sweep determines which files have rows.
            if !commit_started || is_rolled_back(site, files).await {
                remove_files(site, files).await;
            }
            Err(error)
        }
    }
}

/// Moves the files in the body of the form to the private store. Those that were uploaded before it are there already.
async fn store_files(submission: &mut NewSubmission<'_>) -> Result<()> {
    let form = &mut submission.form;
    let folder = form.kind.entity.slug();
    for file in form.files.values_mut() {
        if let Some(sent) = &mut file.sent {
            file.stored.key = form.site.media.commit_private(&folder, sent).await?;
        }
    }
    Ok(())
}

/// Returns the keys of the files that no ticket keeps in the store.
fn own_keys<'f>(files: &'f BTreeMap<&'static str, FormFile>) -> impl Iterator<Item = &'f String> {
    files.values().filter(|file| file.sent.is_some()).map(|file| &file.stored.key).filter(|key| !key.is_empty())
}

/// Whether a failed commit certainly left no row. A connection to Postgres may break while the server goes on to commit;
/// SQLite has either committed or never will.
async fn is_rolled_back(site: &Site, files: &BTreeMap<&'static str, FormFile>) -> bool {
    let Some(key) = own_keys(files).next() else { return true };
    if site.db.backend() != Backend::Sqlite {
        return false;
    }
    let Ok(mut connection) = site.db.read().await else { return false };
    let rows: Result<i64, _> = sqlx::query_scalar("SELECT count(*) FROM submission_files WHERE key = $1")
        .bind(key.clone())
        .fetch_one(&mut *connection)
        .await;
    matches!(rows, Ok(0))
}

async fn remove_files(site: &Site, files: &BTreeMap<&'static str, FormFile>) {
    for key in own_keys(files) {
        if let Err(error) = site.media.delete_private(key).await {
            tracing::warn!(%error, "cannot delete files that are not needed; the next sweep removes them");
            break; // The store does not work: the other files would only fail more slowly.
        }
    }
}

async fn write(submission: &mut NewSubmission<'_>, key: Option<&str>, commit_started: &mut bool) -> Result<Outcome> {
    let (site, kind, now) = (submission.form.site, submission.form.kind, timestamp_text(submission.now));
    let mut write = site.db.write_private().await?;
    // Serialises the submissions of a form, so that the checks below see every earlier one.
    let last_number = lock_counter(&mut write, submission).await?;
    if let Some(key) = key
        && let Some(stored) = find_key(site, &mut write, key, &submission.payload_hash).await?
    {
        write.rollback().await?;
        return Ok(Outcome::Repeated(stored));
    }
    if let Some(stored) = find_repeated(&mut write, submission).await? {
        insert_key(&mut write, submission, key, stored.id, &now).await?;
        *commit_started = key.is_some();
        write.commit().await?;
        return Ok(Outcome::Repeated(stored));
    }
    let number = last_number + 1;
    let reference = format!("{}-{}-{number:04}", submission.prefix, submission.edition.year);
    set_counter(&mut write, submission, number).await?;
    let address = kind.email_of(SENDER);
    let may_send =
        submission.is_quarantined || receipt::may_send(&mut write, submission.text(address), site.clock.now()).await?;
    if !may_send {
        submission.valid.findings.push(Finding::new(address, receipt::TOO_MANY_MAILS));
    }
    let columns = submission.columns(&reference);
    let mut record = submission.valid.record.clone();
    let entity = kind.entity;
    submissions::encrypt(&site.secrets, entity, &reference, &mut record)?;
    let id = table::insert_with(&mut write, entity, Some(submission.edition.id), &record, &columns, &now).await?;
    for (field, file) in &submission.form.files {
        insert_file(&mut write, (kind, id), field, &file.stored, &now).await?;
    }
    if kind.has_files() {
        let others = submissions::possible_duplicates(&mut write, (kind, id)).await?;
        if !others.is_empty() {
            update_rows(&mut write, entity.table, &[("is_possible_duplicate", Datum::Integer(1))], &[id]).await?;
        }
    }
    insert_key(&mut write, submission, key, id, &now).await?;
    insert_notice(&mut write, submission, &now).await?;
    let stored = SubmissionReader::find(&site.secrets, &mut write, (kind, id)).await?;
    let stored = stored.ok_or_else(|| Error::internal("a submission that was stored is gone"))?;
    let reason = stored.text("fee_reduction_reason");
    if !reason.is_empty() {
        let (before, after) = (stored.due_less((0, 0)).text(), fee_reduction::summary(stored.due(), reason));
        let decider = Decider::without_account("The form", submission.now);
        events::add_all(&mut write, &decider, kind, vec![NewEvent { id, kind: "fee", before, after }]).await?;
    }
    if !submission.is_quarantined {
        let (settings, edition) = (&submission.form.in_force, submission.edition.clone());
        let mails = SubmissionMails { site, settings, edition, submission: &stored };
        mails.enqueue_receipt(&mut write, may_send).await?;
    }
    *commit_started = true;
    write.commit().await?;
    Ok(Outcome::Stored(stored))
}

/// Returns the last number that was assigned, and locks its row until the transaction ends.
async fn lock_counter(write: &mut Write, submission: &NewSubmission<'_>) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "INSERT INTO submission_counters (prefix, edition_id, last_number) VALUES ($1, $2, 0) \
         ON CONFLICT (prefix, edition_id) DO UPDATE SET last_number = submission_counters.last_number \
         RETURNING last_number",
    )
    .bind(submission.prefix)
    .bind(submission.edition.id)
    .fetch_one(&mut **write)
    .await?)
}

async fn set_counter(write: &mut Write, submission: &NewSubmission<'_>, number: i64) -> Result<()> {
    sqlx::query("UPDATE submission_counters SET last_number = $1 WHERE prefix = $2 AND edition_id = $3")
        .bind(number)
        .bind(submission.prefix)
        .bind(submission.edition.id)
        .execute(&mut **write)
        .await?;
    Ok(())
}

/// Returns the submission that was stored for a request with this key.
///
/// # Errors
/// [`Error::Invalid`] if that request had another payload, [`Error::Conflict`] if the submission was deleted since.
async fn find_key(
    site: &Site,
    connection: &mut AnyConnection,
    key: &str,
    payload_hash: &str,
) -> Result<Option<Submission>> {
    let row: Option<(String, String, i64)> =
        sqlx::query_as("SELECT payload_hash, submission_table, submission_id FROM submission_keys WHERE key_hash = $1")
            .bind(key.to_owned())
            .fetch_optional(&mut *connection)
            .await?;
    let Some((payload, table, id)) = row else { return Ok(None) };
    if payload != payload_hash {
        return Err(Error::Invalid(vec![FieldError::new(
            "Idempotency-Key",
            "This key was used for a form with other content. Send it with a new key.",
        )]));
    }
    let Some(kind) = SubmissionKind::of_table(&table) else { return Ok(None) };
    match SubmissionReader::find(&site.secrets, connection, (kind, id)).await? {
        Some(stored) => Ok(Some(stored)),
        None => Err(Error::Conflict("This form was received, and has been removed since.".into())),
    }
}

async fn insert_key(
    write: &mut Write,
    submission: &NewSubmission<'_>,
    key: Option<&str>,
    id: i64,
    now: &str,
) -> Result<()> {
    let Some(key) = key else { return Ok(()) };
    let inserted = sqlx::query(
        "INSERT INTO submission_keys (key_hash, payload_hash, submission_table, submission_id, created_at) \
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(key.to_owned())
    .bind(submission.payload_hash.clone())
    .bind(submission.form.kind.entity.table)
    .bind(id)
    .bind(now.to_owned())
    .execute(&mut **write)
    .await;
    match inserted {
        // A concurrent request to another form used the same key.
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            Err(Error::Conflict("Another request with the same Idempotency-Key is under way.".into()))
        }
        other => other.map(|_| ()).map_err(Error::from),
    }
}

/// Stores the text of the notice that was agreed to, unless it is stored already.
async fn insert_notice(write: &mut Write, submission: &NewSubmission<'_>, now: &str) -> Result<()> {
    let Some(Consent { version, text: Some(text) }) = &submission.consent else { return Ok(()) };
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

/// Finds a submission with the same fingerprint in the last minutes.
async fn find_repeated(write: &mut Write, submission: &NewSubmission<'_>) -> Result<Option<Submission>> {
    let form = &submission.form;
    let window = SignedDuration::from_secs(i64::from(form.settings.duplicate_window_minutes) * 60);
    let since = time_before(submission.now, window);
    let select = form.kind.select().filter("fingerprint", Test::Is, Datum::Text(submission.fingerprint()));
    let select = select.filter("created_at", Test::From, Datum::Text(since));
    let newest = select.newest(write, 1).await?.pop();
    Ok(newest.map(|(id, values)| Submission::new(&form.site.secrets, form.kind, id, values)))
}

/// Inserts the row of a file of a submission.
pub(crate) async fn insert_file(
    write: &mut Write,
    (kind, id): (&SubmissionKind, i64),
    field: &str,
    file: &StoredFile,
    now: &str,
) -> Result<()> {
    let sql = format!(
        "INSERT INTO submission_files ({}, field, key, name, mime, size, sha256, flags, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        kind.owner_column
    );
    let inserted = sqlx::query(AssertSqlSafe(sql))
        .bind(id)
        .bind(field)
        .bind(&file.key)
        .bind(&file.name)
        .bind(&file.mime)
        .bind(file.size)
        .bind(&file.sha256)
        .bind(&file.flags)
        .bind(now)
        .execute(&mut **write)
        .await;
    match inserted {
        // Another submission used the ticket, which is valid once.
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Err(staged::expired()),
        inserted => inserted.map(|_| ()).map_err(Error::from),
    }
}
