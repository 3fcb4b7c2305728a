//! Files that are uploaded when they are chosen, before the form that they belong to.
//!
//! The answer to an upload is a ticket. A form names its tickets in the header [`HEADER`] instead of carrying the files,
//! so that a refused or interrupted file costs its own upload again and nothing else. The single request with all files
//! in its body stays what every other client sends.

use std::collections::BTreeMap;
use std::sync::Arc;

use festival_core::checks::{DAMAGED, texts};
use festival_core::db::timestamp_text;
use festival_core::entity::{Entity, Kind};
use festival_core::media::StagedFile;
use festival_core::post::{Receiver, Reply};
use festival_core::site::Site;
use festival_core::{Error, FieldError, Result, http};
use jiff::{SignedDuration, Timestamp};
use rocket::http::Status;
use rocket::{Data, Request};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::{AnyConnection, Row as _};
use ts_rs::TS;

use super::hash::hash;
use super::intake::{Intake, accepts};
use crate::description::Form;
use crate::settings::FormsSettings;

/// The header in which a form names its tickets: `film_poster=<ticket>, signature=<ticket>`.
pub(crate) const HEADER: &str = "Staged-Files";

/// The most tickets that one form may name; no form has more files.
const MAX_TICKETS: usize = 16;
/// Between two uploads of one sending, and between the last one and the form, at most this passes.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_secs(60);
/// For so long after a form has closed a file may still be uploaded: one whose sending began in time has more to come.
const UPLOADS_AFTER_CLOSING: SignedDuration = SignedDuration::from_hours(2);

/// A file that waits in the private store for its form.
#[derive(Debug)]
pub(crate) struct StagedUpload {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) mime: String,
    pub(crate) size: u64,
    pub(crate) sha256: String,
    pub(crate) sent_sha256: String,
    pub(crate) flags: String,
    /// When its upload began.
    began: Timestamp,
    /// When it was stored.
    stored: Timestamp,
}

impl StagedUpload {
    /// What its sender should know of it.
    pub(crate) fn remark(&self) -> Option<&'static str> {
        self.flags.split(' ').any(|flag| flag == DAMAGED).then(|| texts::damaged(&self.mime))
    }
}

/// The uploads that a form names, by field.
pub(crate) type StagedUploads = BTreeMap<&'static str, StagedUpload>;

/// A file of a submission that is about to be stored.
#[derive(Debug)]
pub(crate) enum FormFile {
    /// It came with the form.
    Sent(StagedFile),
    /// It was uploaded before the form.
    Uploaded(StagedUpload),
}

impl FormFile {
    /// The SHA-256 of what was sent, in hexadecimal: the same file sent in either way has the same one.
    pub(crate) fn sent_sha256(&self) -> &str {
        match self {
            Self::Sent(file) => &file.sent_sha256,
            Self::Uploaded(file) => &file.sent_sha256,
        }
    }

    /// What the sender should know of it.
    pub(crate) fn remark(&self) -> Option<&'static str> {
        match self {
            Self::Sent(file) => file.remark(),
            Self::Uploaded(file) => file.remark(),
        }
    }
}

/// The files of a form: those in its body, and those that it names. A file in the body wins.
pub(crate) fn files_of(
    sent: BTreeMap<&'static str, StagedFile>,
    uploads: StagedUploads,
) -> BTreeMap<&'static str, FormFile> {
    let mut files: BTreeMap<_, _> =
        uploads.into_iter().map(|(field, file)| (field, FormFile::Uploaded(file))).collect();
    files.extend(sent.into_iter().map(|(field, file)| (field, FormFile::Sent(file))));
    files
}

/// When the sending of a form began whose request arrived at `arrived`: uploads that lead up to it without a pause
/// belong to the same sending, so that a slow connection does not make it late.
pub(crate) fn sending_began(arrived: Timestamp, uploads: &StagedUploads) -> Timestamp {
    let mut latest_first: Vec<_> = uploads.values().map(|file| (file.stored, file.began)).collect();
    latest_first.sort_unstable_by(|one, other| other.cmp(one));
    latest_first.into_iter().fold(arrived, |began, (stored, upload_began)| {
        if began.duration_since(stored) <= LONGEST_PAUSE { began.min(upload_began) } else { began }
    })
}

/// The uploads that `request` names for a form of `entity`.
///
/// # Errors
/// 422 for the field `Staged-Files` where a ticket is unknown or too old: the file has to be sent again.
pub(crate) async fn find(
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
        let upload = find_one(&mut connection, (entity.table, field.name), ticket, oldest(site, settings)).await?;
        uploads.insert(field.name, upload.ok_or_else(gone)?);
    }
    Ok(uploads)
}

/// What is said of a ticket that is not valid any more.
pub(super) fn gone() -> Error {
    let words = "A file that was uploaded before is not kept any more. Please send it again.";
    Error::Invalid(vec![FieldError::new(HEADER, words)])
}

fn malformed() -> Error {
    Error::BadRequest(format!("{HEADER} must name fields and tickets: film_poster=<ticket>, signature=<ticket>"))
}

/// Files stored before this moment have waited too long.
fn oldest(site: &Site, settings: &FormsSettings) -> Timestamp {
    let hours = SignedDuration::from_hours(i64::from(settings.staged_hours));
    site.clock.now().checked_sub(hours).unwrap_or(Timestamp::UNIX_EPOCH)
}

async fn find_one(
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
    let moment = |text: String| text.parse::<Timestamp>().map_err(Error::internal);
    Ok(Some(StagedUpload {
        key: row.try_get(0)?,
        name: row.try_get(1)?,
        mime: row.try_get(2)?,
        size: u64::try_from(row.try_get::<i64, _>(3)?).unwrap_or_default(),
        sha256: row.try_get(4)?,
        sent_sha256: row.try_get(5)?,
        flags: row.try_get(6)?,
        began: moment(row.try_get(7)?)?,
        stored: moment(row.try_get(8)?)?,
    }))
}

fn ticket_hash(ticket: &str) -> String {
    hash(["staged-file", ticket])
}

/// A new ticket: 256 random bits in hexadecimal.
fn new_ticket() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Receives one file of a form that is still being filled in.
pub(crate) struct ReceiveFile {
    pub(crate) intake: Arc<Intake>,
    /// The forms that the file may belong to; they share their fields.
    pub(crate) forms: &'static [&'static Form],
}

/// The answer to a file that was uploaded before its form.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct StagedReply {
    /// What the form names it by; nobody else knows it.
    ticket: String,
    /// The field that it was sent for.
    field: &'static str,
    /// Until when the ticket is valid, RFC 3339.
    expires_at: String,
}

impl ReceiveFile {
    fn entity(&self) -> Result<&'static Entity> {
        self.forms.first().map(|form| form.entity).ok_or_else(|| Error::internal("files of no form"))
    }
}

#[rocket::async_trait]
impl Receiver for ReceiveFile {
    async fn admit(&self, site: &Site, request: &Request<'_>) -> Result<()> {
        let settings = Intake::settings(site).await?;
        let before = site.clock.now().checked_sub(UPLOADS_AFTER_CLOSING).unwrap_or(Timestamp::UNIX_EPOCH);
        self.intake.admit_file(site, request, &settings, self.forms, before).await?;
        let waiting: i64 = sqlx::query_scalar(
            "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM staged_files WHERE created_at >= $1 \
             AND NOT EXISTS (SELECT 1 FROM submission_files f WHERE f.key = staged_files.key)",
        )
        .bind(timestamp_text(oldest(site, &settings)))
        .fetch_one(&mut *site.db.read().await?)
        .await?;
        if waiting >> 20 >= i64::from(settings.staged_mib) {
            return Err(Error::Unavailable("Files are only taken with their form at the moment.".into()));
        }
        Ok(())
    }

    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Reply> {
        let began = site.clock.now();
        let entity = self.entity()?;
        let mut accepts = accepts(entity, &[]);
        accepts.texts.clear();
        let mut received = http::receive_multipart(site, request, data, &accepts).await?;
        let (Some((field, mut file)), None) = (received.files.pop_first(), received.files.pop_first()) else {
            return Err(Error::BadRequest("Send one file, under the name of its field.".into()));
        };
        let settings = Intake::settings(site).await?;
        let ticket = new_ticket()?;
        let key = site.media.commit_private(&entity.slug(), &mut file).await?;
        let stored = site.clock.now();
        if let Err(error) = insert(site, (entity.table, field), (&ticket, &key), &file, (began, stored)).await {
            // What cannot be deleted now is the sweep's.
            let _ = site.media.delete_private(&key).await;
            return Err(error);
        }
        let hours = SignedDuration::from_hours(i64::from(settings.staged_hours));
        let expires_at = stored.checked_add(hours).unwrap_or(stored).to_string();
        Reply::json(Status::Created, &StagedReply { ticket, field, expires_at })
    }
}

async fn insert(
    site: &Site,
    (table, field): (&'static str, &'static str),
    (ticket, key): (&str, &str),
    file: &StagedFile,
    (began, stored): (Timestamp, Timestamp),
) -> Result<()> {
    let mut write = site.db.write_private().await?;
    sqlx::query(
        "INSERT INTO staged_files (ticket_hash, submission_table, field, key, name, mime, size, sha256, sent_sha256, \
         flags, began_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(ticket_hash(ticket))
    .bind(table)
    .bind(field)
    .bind(key.to_owned())
    .bind(file.name.clone())
    .bind(file.mime)
    .bind(i64::try_from(file.size).unwrap_or(i64::MAX))
    .bind(file.sha256.clone())
    .bind(file.sent_sha256.clone())
    .bind(file.flags.join(" "))
    .bind(timestamp_text(began))
    .bind(timestamp_text(stored))
    .execute(&mut *write)
    .await?;
    write.commit().await
}

/// The JSON schema of an upload: one file, under the name of its field.
pub(crate) fn body(form: &Form) -> serde_json::Value {
    let properties: serde_json::Map<String, serde_json::Value> = form
        .entity
        .fields
        .iter()
        .filter_map(|field| match field.kind {
            Kind::File { pdf } => Some((field, if pdf { "a picture or a PDF" } else { "a picture" })),
            _ => None,
        })
        .map(|(field, what)| {
            let schema = serde_json::json!({ "type": "string", "description": format!("{}: {what}", field.label) });
            (field.name.to_owned(), schema)
        })
        .collect();
    serde_json::json!({ "type": "object", "properties": properties, "minProperties": 1, "maxProperties": 1 })
}

/// Forgets tickets that have expired, except those that a request may be using, and moves their files to the trash.
pub(crate) async fn forget_expired(site: &Site) -> Result<()> {
    let settings = Intake::settings(site).await?;
    let before = oldest(site, &settings).checked_sub(SignedDuration::from_hours(1)).unwrap_or(Timestamp::UNIX_EPOCH);
    let before = timestamp_text(before);
    // Read first: a write makes every server compute its answers anew. Files that a submission took over stay.
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

    fn upload(began: i64, stored: i64) -> StagedUpload {
        let at = |second| Timestamp::from_second(second).unwrap_or_default();
        let text = String::new;
        StagedUpload {
            key: text(),
            name: text(),
            mime: text(),
            size: 1,
            sha256: text(),
            sent_sha256: text(),
            flags: text(),
            began: at(began),
            stored: at(stored),
        }
    }

    #[test]
    fn uploads_without_a_pause_belong_to_the_sending() {
        let began = |arrived, uploads: &[(i64, i64)]| {
            let fields = ["a", "b", "c"];
            let uploads =
                fields.iter().zip(uploads).map(|(field, (began, stored))| (*field, upload(*began, *stored))).collect();
            sending_began(Timestamp::from_second(arrived).unwrap_or_default(), &uploads).as_second()
        };
        assert_eq!(began(1000, &[]), 1000);
        assert_eq!(began(1000, &[(700, 800)]), 1000, "the files were there long before the form was sent");
        assert_eq!(began(1000, &[(700, 940)]), 700);
        assert_eq!(began(1000, &[(700, 939)]), 1000);
        assert_eq!(began(1000, &[(800, 990), (500, 795), (100, 200)]), 500, "one after the other");
        assert_eq!(began(1000, &[(100, 200), (500, 795), (800, 990)]), 500, "in any order of fields");
        assert_eq!(began(1000, &[(400, 990), (600, 700)]), 400, "several at a time");
    }
}
