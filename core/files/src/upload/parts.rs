//! Parsing of the parts of a form, with their limits; files are written to the staging folder.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use data_encoding::HEXLOWER;
use multer::{Field, Multipart};
use sha2::{Digest as _, Sha256};
use tempfile::TempPath;
use tokio::io::{AsyncRead, AsyncWriteExt as _};

use super::accepts::{AcceptedFile, Accepts};
use super::body::{Body, BodyError};
use super::name;
use crate::media::{Media, storage_error};
use festival_base::error::{Error, FieldError, Result};

/// Maximum number of parts of a form.
const MAX_PARTS: usize = 64;
/// Maximum length of all texts of a form together, as a multiple of the maximum of one: they are held in memory.
const TOTAL_TEXT_FACTOR: usize = 8;
/// Maximum length of a reported unknown field name, in characters.
const MAX_NAME: usize = 60;

/// A received file on disk, not checked yet.
pub(super) struct SentFile {
    pub(super) accepted: AcceptedFile,
    pub(super) name: String,
    pub(super) path: TempPath,
    pub(super) sha256: String,
}

/// The parts of a completely received form.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) values: BTreeMap<String, String>,
    pub(super) files: BTreeMap<&'static str, SentFile>,
    pub(super) unknown: Vec<String>,
    /// Errors of single fields. Reading continues, so that all are reported at once.
    pub(super) errors: Vec<FieldError>,
    /// Total length of all texts, in bytes.
    text_bytes: usize,
}

/// Reads the form; files go to the staging folder of `media`. Awaits `begun` once its first known field has arrived.
pub(super) async fn read<R: AsyncRead + Unpin + Send>(
    media: &Media,
    body: &mut Body<R>,
    boundary: &str,
    accepts: &Accepts,
    begun: impl Future<Output = ()> + Send,
) -> Result<Parts> {
    let mut begun = Some(begun);
    let unparsed = body.unparsed.clone();
    let mut multipart = Multipart::new(body, boundary);
    let mut parts = Parts::default();
    let mut seen = BTreeSet::new();
    let mut count = 0;
    while let Some(field) = multipart.next_field().await.map_err(malformed)? {
        unparsed.store(0, Ordering::Relaxed);
        count += 1;
        if count > MAX_PARTS {
            return Err(too_large("form", format!("This form has more than {MAX_PARTS} fields.")));
        }
        if field.content_type().is_some_and(|kind| kind.type_() == "multipart") {
            return Err(Error::BadRequest("A form cannot contain another form.".into()));
        }
        let name = field.name().filter(|name| !name.is_empty()).map(str::to_owned);
        let name = name.ok_or_else(|| Error::BadRequest("A field of this form has no name.".into()))?;
        let reader = Part { field, unparsed: &unparsed };
        let text = accepts.texts.contains(&name);
        let file = accepts.files.iter().find(|file| file.field == name).copied();
        if (text || file.is_some()) && !seen.insert(name.clone()) {
            parts.errors.push(FieldError::new(&name, "was sent twice"));
            reader.skip().await?;
        } else if text {
            reader.read_text(&name, accepts.max_text_bytes, &mut parts).await?;
        } else if let Some(file) = file {
            reader.read_file(file, media, &mut parts).await?;
        } else {
            let name: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
            if accepts.ignore_unknown {
                parts.unknown.push(name);
            } else {
                parts.errors.push(FieldError::new(name, "is no field of this form"));
            }
            reader.skip().await?;
        }
        if !(parts.values.is_empty() && parts.files.is_empty())
            && let Some(begun) = begun.take()
        {
            begun.await;
        }
    }
    Ok(parts)
}

/// The part that is being read.
struct Part<'r, 'p> {
    field: Field<'r>,
    unparsed: &'p AtomicUsize,
}

impl Part<'_, '_> {
    async fn chunk(&mut self) -> Result<Option<bytes::Bytes>> {
        let chunk = self.field.chunk().await.map_err(malformed)?;
        self.unparsed.store(0, Ordering::Relaxed);
        Ok(chunk)
    }

    /// Skips the rest of the part and returns whether there was any content.
    async fn skip(mut self) -> Result<bool> {
        let mut has_content = false;
        while let Some(chunk) = self.chunk().await? {
            has_content |= !chunk.is_empty();
        }
        Ok(has_content)
    }

    /// The file name, if this part is a file; "file" if the name is not valid UTF-8.
    fn file_name(&self) -> Option<String> {
        let disposition = self.field.headers().get("content-disposition").map(|value| value.as_bytes());
        let is_file = || disposition.is_some_and(|value| String::from_utf8_lossy(value).contains("filename="));
        self.field.file_name().map(str::to_owned).or_else(|| is_file().then(|| "file".to_owned()))
    }

    async fn read_text(mut self, field: &str, max_bytes: usize, parts: &mut Parts) -> Result<()> {
        if self.file_name().is_some() {
            if self.skip().await? {
                parts.errors.push(FieldError::new(field, "takes text, not a file"));
            }
            return Ok(());
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            if bytes.len() + chunk.len() > max_bytes {
                return Err(too_large(field, format!("{field} must be shorter than {} KB", max_bytes / 1024)));
            }
            parts.text_bytes += chunk.len();
            if parts.text_bytes > TOTAL_TEXT_FACTOR * max_bytes {
                let kilobytes = TOTAL_TEXT_FACTOR * max_bytes / 1024;
                return Err(too_large("form", format!("All texts together must be shorter than {kilobytes} KB.")));
            }
            bytes.extend_from_slice(&chunk);
        }
        match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => {
                parts.values.insert(field.to_owned(), text);
            }
            _ => parts.errors.push(FieldError::new(field, "holds characters that are no text; please type it again")),
        }
        Ok(())
    }

    async fn read_file(mut self, accepted: AcceptedFile, media: &Media, parts: &mut Parts) -> Result<()> {
        let Some(sent_name) = self.file_name() else {
            // Scripts may send an empty text if no file was chosen.
            if self.skip().await? {
                parts.errors.push(FieldError::new(accepted.field, "takes a file, not text"));
            }
            return Ok(());
        };
        if sent_name.is_empty() {
            self.skip().await?;
            return Ok(());
        }
        let (mut size, mut hash, mut staged) = (0, Sha256::new(), None);
        while let Some(chunk) = self.chunk().await? {
            size += chunk.len() as u64;
            if size > accepted.max_bytes {
                let megabytes = accepted.max_bytes >> 20;
                let message = format!("{} file must be less than {megabytes}MB", accepted.field);
                return Err(too_large(accepted.field, message));
            }
            if chunk.is_empty() {
                continue;
            }
            hash.update(&chunk);
            if staged.is_none() {
                staged = Some(media.stage().await?);
            }
            if let Some((_, file)) = &mut staged {
                file.write_all(&chunk).await.map_err(|error| storage_error(&error))?;
            }
        }
        if let Some((path, mut file)) = staged {
            file.flush().await.map_err(|error| storage_error(&error))?;
            let name = name::for_display(&sent_name);
            parts
                .files
                .insert(accepted.field, SentFile { accepted, name, path, sha256: HEXLOWER.encode(&hash.finalize()) });
        }
        Ok(())
    }
}

pub(super) fn too_large(field: &str, message: String) -> Error {
    Error::TooLarge(vec![FieldError::new(field, message)])
}

/// The error for a form that exceeds the total limit.
pub(super) fn form_too_large() -> Error {
    too_large("form", "This form is too large. All files together must be less than 32MB.".into())
}

/// Returns the error for a body that ended early, and logs the cause; usually the client disconnected.
pub fn incomplete_form(error: &dyn std::error::Error) -> Error {
    tracing::info!(%error, "received an incomplete form");
    Error::BadRequest("The form did not arrive whole. Nothing was stored. Please send it again.".into())
}

/// Converts an error of the parser or the body.
fn malformed(error: multer::Error) -> Error {
    let body_error = match &error {
        multer::Error::StreamReadFailed(cause) => cause.downcast_ref::<BodyError>(),
        _ => None,
    };
    match body_error {
        Some(BodyError::TooLarge) => form_too_large(),
        Some(BodyError::Stalled) => Error::Timeout(
            "The form stopped arriving. Nothing was stored. Please check the connection and send it again.".into(),
        ),
        _ => incomplete_form(&error),
    }
}
