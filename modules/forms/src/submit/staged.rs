//! Staged files: uploaded one by one, before the form that they belong to, after sending it whole was interrupted.
//!
//! The response to an upload is a ticket. A form names its tickets in the header [`HEADER`] in place of the files, so that
//! what has arrived is not sent again.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use festival_core::db::timestamp_text;
use festival_core::entity::Entity;
use festival_core::media::StagedFile;
use festival_core::site::Site;
use festival_core::{Error, FieldError, Result};
use jiff::{SignedDuration, Timestamp};
use rocket::Request;
use sqlx::{AnyConnection, FromRow, Row as _};

use crate::hash::hash;
use crate::settings::FormsSettings;
use crate::submissions::damage_remark;

/// The header in which a form names its tickets: `film_poster=<ticket>, signature=<ticket>`.
pub(crate) const HEADER: &str = "Staged-Files";

/// Maximum number of tickets of a form; no form has more files.
const MAX_TICKETS: usize = 16;
/// Longest pause between two uploads, or the last upload and the form, that counts as one sending.
const MAX_PAUSE: SignedDuration = SignedDuration::from_secs(60);

/// A file in the private store.
#[derive(Debug, Default, FromRow)]
pub(crate) struct StoredFile {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) mime: String,
    /// Size in bytes.
    pub(crate) size: i64,
    pub(crate) sha256: String,
    /// SHA-256 of the file as it was sent. It does not depend on the way it was sent.
    pub(crate) sent_sha256: String,
    /// Flags of the file check and the virus scanner, separated by spaces.
    pub(crate) flags: String,
}

impl StoredFile {
    /// Describes `file`, which is stored under `key`.
    pub(crate) fn new(key: String, file: &StagedFile) -> Self {
        Self {
            key,
            name: file.name.clone(),
            mime: file.mime.to_owned(),
            size: i64::try_from(file.size).unwrap_or(i64::MAX),
            sha256: file.sha256.clone(),
            sent_sha256: file.sent_sha256.clone(),
            flags: file.flags.join(" "),
        }
    }
}

/// A file in the private store that was uploaded before its form.
#[derive(Debug)]
pub(crate) struct StagedUpload {
    pub(crate) stored: StoredFile,
    /// When its upload started.
    pub(super) started_at: Timestamp,
    /// When it was stored.
    pub(super) stored_at: Timestamp,
}

/// The staged uploads of a form, by field.
pub(crate) type StagedUploads = BTreeMap<&'static str, StagedUpload>;

/// A file of a form.
#[derive(Debug)]
pub(crate) struct FormFile {
    /// Its key is empty until it is in the private store.
    pub(super) stored: StoredFile,
    /// The file that was sent in the body of the form; `None` if it was uploaded before. Then its ticket keeps it in the
    /// store if the submission fails.
    pub(super) sent: Option<StagedFile>,
}

impl FormFile {
    /// A file in the body of the form.
    pub(super) fn sent(file: StagedFile) -> Self {
        Self { stored: StoredFile::new(String::new(), &file), sent: Some(file) }
    }

    /// A file that was uploaded before the form.
    pub(super) fn uploaded(upload: StagedUpload) -> Self {
        Self { stored: upload.stored, sent: None }
    }

    /// Returns what the sender should know about it.
    pub(super) fn remark(&self) -> Option<&'static str> {
        damage_remark(&self.stored.flags, &self.stored.mime)
    }
}

/// Returns when sending a form started, given that its request arrived at `arrived`. Uploads that precede it without a
/// pause belong to the same sending, so that a slow connection does not make it late.
pub(super) fn sending_started_at(arrived: Timestamp, uploads: &StagedUploads) -> Timestamp {
    let mut latest_first: Vec<_> = uploads.values().map(|file| (file.stored_at, file.started_at)).collect();
    latest_first.sort_unstable_by(|a, b| b.cmp(a));
    latest_first.into_iter().fold(arrived, |start, (stored_at, started_at)| {
        if start.duration_since(stored_at) <= MAX_PAUSE { start.min(started_at) } else { start }
    })
}

/// Returns the staged uploads that `request` names for a form of `entity`.
///
/// # Errors
/// 422 for the field `Staged-Files` if a ticket is unknown or has expired: the file has to be sent again.
pub(super) async fn find(
    site: &Site,
    request: &Request<'_>,
    entity: &'static Entity,
    settings: &FormsSettings,
) -> Result<StagedUploads> {
    let Some(header) = request.headers().get_one(HEADER) else { return Ok(StagedUploads::new()) };
    let tickets: Vec<(&str, &str)> = header
        .split(',')
        .filter(|pair| !pair.trim().is_empty())
        .map(|pair| pair.trim().split_once('=').ok_or_else(malformed))
        .collect::<Result<_>>()?;
    if tickets.len() > MAX_TICKETS {
        return Err(malformed());
    }
    let mut connection = site.db.read().await?;
    let mut uploads = StagedUploads::new();
    for (field, ticket) in tickets {
        let field = entity.field(field).filter(|field| !field.has_column()).ok_or_else(malformed)?;
        let upload =
            find_upload(&mut connection, (entity.table, field.name), ticket, oldest_valid(site, settings)).await?;
        uploads.insert(field.name, upload.ok_or_else(expired)?);
    }
    Ok(uploads)
}

/// The error for a ticket that is unknown or has expired.
pub(super) fn expired() -> Error {
    let message = "A file that was uploaded before is not kept any more. Please send it again.";
    Error::Invalid(vec![FieldError::new(HEADER, message)])
}

fn malformed() -> Error {
    Error::BadRequest(format!("{HEADER} must name fields and tickets: film_poster=<ticket>, signature=<ticket>"))
}

/// Returns the time before which staged files have expired.
fn oldest_valid(site: &Site, settings: &FormsSettings) -> Timestamp {
    let hours = SignedDuration::from_hours(i64::from(settings.staged_hours));
    site.clock.now().checked_sub(hours).unwrap_or(Timestamp::UNIX_EPOCH)
}

async fn find_upload(
    connection: &mut AnyConnection,
    (table, field): (&'static str, &'static str),
    ticket: &str,
    oldest: Timestamp,
) -> Result<Option<StagedUpload>> {
    let row = sqlx::query(
        "SELECT key, name, mime, size, sha256, sent_sha256, flags, began_at, created_at FROM staged_files \
         WHERE ticket_hash = $1 AND submission_table = $2 AND field = $3 AND created_at >= $4",
    )
    .bind(ticket_hash(ticket))
    .bind(table)
    .bind(field)
    .bind(timestamp_text(oldest))
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let timestamp = |column: &str| row.try_get::<String, _>(column)?.parse::<Timestamp>().map_err(Error::internal);
    let (started_at, stored_at) = (timestamp("began_at")?, timestamp("created_at")?);
    Ok(Some(StagedUpload { stored: StoredFile::from_row(&row)?, started_at, stored_at }))
}

fn ticket_hash(ticket: &str) -> String {
    hash(["staged-file", ticket])
}

/// Creates a ticket: 256 random bits in hexadecimal.
pub(super) fn new_ticket() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
    Ok(HEXLOWER.encode(&bytes))
}

/// Whether there is room for another file without a form.
pub(super) async fn has_room(site: &Site, settings: &FormsSettings) -> Result<bool> {
    let waiting: i64 = sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM staged_files WHERE created_at >= $1 \
         AND NOT EXISTS (SELECT 1 FROM submission_files f WHERE f.key = staged_files.key)",
    )
    .bind(timestamp_text(oldest_valid(site, settings)))
    .fetch_one(&mut *site.db.read().await?)
    .await?;
    Ok(waiting >> 20 < i64::from(settings.staged_mib))
}

impl StagedUpload {
    /// Stores its row, until its form arrives.
    pub(super) async fn insert(&self, site: &Site, (table, field): (&str, &str), ticket: &str) -> Result<()> {
        let file = &self.stored;
        let mut write = site.db.write_private().await?;
        sqlx::query(
            "INSERT INTO staged_files (ticket_hash, submission_table, field, key, name, mime, size, sha256, sent_sha256, \
             flags, began_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(ticket_hash(ticket))
        .bind(table)
        .bind(field)
        .bind(&file.key)
        .bind(&file.name)
        .bind(&file.mime)
        .bind(file.size)
        .bind(&file.sha256)
        .bind(&file.sent_sha256)
        .bind(&file.flags)
        .bind(timestamp_text(self.started_at))
        .bind(timestamp_text(self.stored_at))
        .execute(&mut *write)
        .await?;
        write.commit().await
    }
}

/// Deletes expired tickets, except those that a request may be using, and moves their files to the trash.
pub(crate) async fn delete_expired(site: &Site) -> Result<()> {
    let settings = FormsSettings::in_force(site).await?;
    let before =
        oldest_valid(site, &settings).checked_sub(SignedDuration::from_hours(1)).unwrap_or(Timestamp::UNIX_EPOCH);
    let before = timestamp_text(before);
    // Read first, because a write invalidates the caches of every server. Files that belong to a submission stay.
    let expired: Vec<(String, i64)> = sqlx::query_as(
        "SELECT key, CAST((SELECT count(*) FROM submission_files f WHERE f.key = staged_files.key) AS BIGINT) \
         FROM staged_files WHERE created_at < $1",
    )
    .bind(before.clone())
    .fetch_all(&mut *site.db.read().await?)
    .await?;
    if expired.is_empty() {
        return Ok(());
    }
    let mut write = site.db.write_private().await?;
    sqlx::query("DELETE FROM staged_files WHERE created_at < $1").bind(before).execute(&mut *write).await?;
    write.commit().await?;
    for (key, _) in expired.iter().filter(|(_, submissions)| *submissions == 0) {
        site.media.trash_private(key, site.clock.now()).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upload(started_at: i64, stored_at: i64) -> StagedUpload {
        let at = |second| Timestamp::from_second(second).unwrap_or_default();
        StagedUpload { stored: StoredFile::default(), started_at: at(started_at), stored_at: at(stored_at) }
    }

    #[test]
    fn uploads_without_a_pause_count_as_one_sending() {
        let start = |arrived, uploads: &[(i64, i64)]| {
            let fields = ["a", "b", "c"];
            let uploads = fields
                .iter()
                .zip(uploads)
                .map(|(field, (started_at, stored_at))| (*field, upload(*started_at, *stored_at)))
                .collect();
            sending_started_at(Timestamp::from_second(arrived).unwrap_or_default(), &uploads).as_second()
        };
        assert_eq!(start(1000, &[]), 1000);
        assert_eq!(start(1000, &[(700, 800)]), 1000, "the files were there long before the form was sent");
        assert_eq!(start(1000, &[(700, 940)]), 700);
        assert_eq!(start(1000, &[(700, 939)]), 1000);
        assert_eq!(start(1000, &[(800, 990), (500, 795), (100, 200)]), 500, "one after the other");
        assert_eq!(start(1000, &[(100, 200), (500, 795), (800, 990)]), 500, "in any order of fields");
        assert_eq!(start(1000, &[(400, 990), (600, 700)]), 400, "several at a time");
    }
}
