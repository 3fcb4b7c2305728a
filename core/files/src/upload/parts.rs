//! The parts of a form, one after the other: which are allowed, how large, where they go.

use std::collections::{BTreeMap, BTreeSet};

use multer::{Field, Multipart};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncRead, AsyncWriteExt as _};

use super::body::{Body, Pile, Stop};
use super::{AcceptedFile, Accepts, hex, name};
use crate::media::{Media, StagedPath, storage_error};
use festival_base::error::{Error, FieldError, Result};

/// The most parts of a form.
const MOST_PARTS: usize = 64;
/// All texts of a form together are at most as long as so many of the longest: they wait in memory for the rest of it.
const LONGEST_TEXTS: usize = 8;
/// The longest name of an unknown field that is noted.
const LONGEST_NAME: usize = 60;

/// A file as it was sent, on disk, not looked at yet.
pub(super) struct SentFile {
    pub(super) accepted: AcceptedFile,
    pub(super) name: String,
    pub(super) place: StagedPath,
    pub(super) sha256: String,
}

/// A form that was read to its end.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) values: BTreeMap<String, String>,
    pub(super) files: BTreeMap<&'static str, SentFile>,
    pub(super) unknown: Vec<String>,
    /// What is wrong with single fields: reading goes on, so that everything is said at once.
    pub(super) wrong: Vec<FieldError>,
    /// The bytes of all texts.
    text_bytes: usize,
}

/// Reads the form; files go to the staging folder of `media`.
pub(super) async fn read<R: AsyncRead + Unpin + Send>(
    media: &Media,
    body: &mut Body<R>,
    boundary: &str,
    accepts: &Accepts,
) -> Result<Parts> {
    let pile = body.pile();
    let mut multipart = Multipart::new(body, boundary);
    let mut parts = Parts::default();
    let mut seen = BTreeSet::new();
    let mut count = 0;
    while let Some(field) = multipart.next_field().await.map_err(malformed)? {
        pile.clear();
        count += 1;
        if count > MOST_PARTS {
            return Err(too_large("form", format!("This form has more than {MOST_PARTS} fields.")));
        }
        if field.content_type().is_some_and(|kind| kind.type_() == "multipart") {
            return Err(Error::BadRequest("A form inside a form is not taken.".into()));
        }
        let name = field.name().filter(|name| !name.is_empty()).map(str::to_owned);
        let name = name.ok_or_else(|| Error::BadRequest("A field of this form has no name.".into()))?;
        let reader = Part { field, pile: &pile };
        let text = accepts.texts.contains(&name);
        let file = accepts.files.iter().find(|file| file.field == name).copied();
        if (text || file.is_some()) && !seen.insert(name.clone()) {
            parts.wrong.push(FieldError::new(&name, "was sent twice"));
            reader.skip().await?;
        } else if text {
            reader.read_text(&name, accepts.largest_text, &mut parts).await?;
        } else if let Some(file) = file {
            reader.read_file(file, media, &mut parts).await?;
        } else {
            let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
            if accepts.ignore_unknown {
                parts.unknown.push(name);
            } else {
                parts.wrong.push(FieldError::new(name, "is no field of this form"));
            }
            reader.skip().await?;
        }
    }
    Ok(parts)
}

/// One part, being read.
struct Part<'r, 'p> {
    field: Field<'r>,
    pile: &'p Pile,
}

impl Part<'_, '_> {
    async fn chunk(&mut self) -> Result<Option<bytes::Bytes>> {
        let chunk = self.field.chunk().await.map_err(malformed)?;
        self.pile.clear();
        Ok(chunk)
    }

    /// Reads on to the next part; answers whether there was anything.
    async fn skip(mut self) -> Result<bool> {
        let mut any = false;
        while let Some(chunk) = self.chunk().await? {
            any |= !chunk.is_empty();
        }
        Ok(any)
    }

    /// The name of the file, if this part is one. A name that is not UTF-8 still makes it one.
    fn file_name(&self) -> Option<String> {
        let said = self.field.headers().get("content-disposition").map(|value| value.as_bytes());
        let is_file = || said.is_some_and(|said| String::from_utf8_lossy(said).contains("filename="));
        self.field.file_name().map(str::to_owned).or_else(|| is_file().then(|| "file".to_owned()))
    }

    async fn read_text(mut self, field: &str, largest: usize, parts: &mut Parts) -> Result<()> {
        if self.file_name().is_some() {
            if self.skip().await? {
                parts.wrong.push(FieldError::new(field, "takes text, not a file"));
            }
            return Ok(());
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            if bytes.len() + chunk.len() > largest {
                return Err(too_large(field, format!("{field} must be shorter than {} KB", largest / 1024)));
            }
            parts.text_bytes += chunk.len();
            if parts.text_bytes > LONGEST_TEXTS * largest {
                let kilobytes = LONGEST_TEXTS * largest / 1024;
                return Err(too_large("form", format!("All texts together must be shorter than {kilobytes} KB.")));
            }
            bytes.extend_from_slice(&chunk);
        }
        match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => {
                parts.values.insert(field.to_owned(), text);
            }
            _ => parts.wrong.push(FieldError::new(field, "holds characters that are no text; please type it anew")),
        }
        Ok(())
    }

    async fn read_file(mut self, accepted: AcceptedFile, media: &Media, parts: &mut Parts) -> Result<()> {
        let Some(sent_name) = self.file_name() else {
            // A script may send an empty text where nobody chose a file.
            if self.skip().await? {
                parts.wrong.push(FieldError::new(accepted.field, "takes a file, not text"));
            }
            return Ok(());
        };
        if sent_name.is_empty() {
            self.skip().await?;
            return Ok(());
        }
        let (mut size, mut hash, mut open) = (0, Sha256::new(), None);
        while let Some(chunk) = self.chunk().await? {
            size += chunk.len() as u64;
            if size > accepted.largest {
                let megabytes = accepted.largest >> 20;
                let words = format!("{} file must be less than {megabytes}MB", accepted.field);
                return Err(too_large(accepted.field, words));
            }
            if chunk.is_empty() {
                continue;
            }
            hash.update(&chunk);
            if open.is_none() {
                open = Some(media.stage().await?);
            }
            if let Some((_, file)) = &mut open {
                file.write_all(&chunk).await.map_err(|error| storage_error(&error))?;
            }
        }
        if let Some((place, mut file)) = open {
            file.flush().await.map_err(|error| storage_error(&error))?;
            let name = name::for_display(&sent_name);
            parts.files.insert(accepted.field, SentFile { accepted, name, place, sha256: hex(&hash.finalize()) });
        }
        Ok(())
    }
}

pub(super) fn too_large(field: &str, message: String) -> Error {
    Error::TooLarge(vec![FieldError::new(field, message)])
}

/// The words for a form that is larger than all its files and texts may be together.
pub(super) fn form_too_large() -> Error {
    too_large("form", "This form is too large. All files together must be less than 32MB.".into())
}

/// A body that ends before its end, most often because its sender went.
pub fn not_whole(error: &dyn std::error::Error) -> Error {
    tracing::info!(%error, "a form did not arrive whole");
    Error::BadRequest("The form did not arrive whole. Nothing was stored. Please send it again.".into())
}

/// What the parser could not read, or the body did not give.
fn malformed(error: multer::Error) -> Error {
    let stop = match &error {
        multer::Error::StreamReadFailed(cause) => cause.downcast_ref::<Stop>(),
        _ => None,
    };
    match stop {
        Some(Stop::TooLarge) => form_too_large(),
        Some(Stop::Stalled) => Error::Timeout(
            "The form stopped arriving. Nothing was stored. Please check the connection and send it again.".into(),
        ),
        _ => not_whole(&error),
    }
}
