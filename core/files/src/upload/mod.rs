//! Forms with files: one way in for everything that people send as `multipart/form-data`.
//!
//! [`MultipartReceiver`] reads a form from the network with bounded memory, keeps its files on disk, tells by their
//! bytes what they are and cleans them. What comes out is text and [`StagedFile`]s; nothing of it is kept until
//! [`Media::commit_private`] says so.

mod body;
mod inspect;
mod name;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::IpAddr;

use body::{Body, Pace};
use jiff::Timestamp;
use parts::Parts;
pub use parts::not_whole;
use tokio::io::AsyncRead;

use crate::checks::Takes;
use crate::media::{Media, Slot, StagedFile};
use festival_base::error::{Error, FieldError, Result};
use festival_base::settings::Uploads;

/// The largest file that is taken, in bytes: 5 MB as people's programs count it. This size itself is taken.
pub const LARGEST_FILE: u64 = 5 * 1024 * 1024;

/// The largest form: all its files, and its texts with what is around them.
const LARGEST_FORM: u64 = 32 * 1024 * 1024 + 1024 * 1024;
/// The longest text field of an ordinary form, in bytes.
const LARGEST_TEXT: usize = 64 * 1024;
/// The longest boundary (RFC 2046).
const LONGEST_BOUNDARY: usize = 70;

/// What a form takes.
#[derive(Clone, Debug)]
pub struct Accepts {
    /// The names of its text fields.
    pub texts: Vec<String>,
    /// The longest text field, in bytes.
    pub largest_text: usize,
    /// Its file fields.
    pub files: Vec<AcceptedFile>,
    /// Fields that the form does not know are passed over and named in [`Received::unknown`], because an older
    /// client may send more than we ask for. Off: they are errors (422).
    pub ignore_unknown: bool,
    /// Fields that are wrong do not keep the rest back: they are named in [`Received::wrong`], so that the form can be
    /// shown again with everything else that came.
    pub keep_the_rest: bool,
}

impl Default for Accepts {
    fn default() -> Self {
        Self {
            texts: Vec::new(),
            largest_text: LARGEST_TEXT,
            files: Vec::new(),
            ignore_unknown: false,
            keep_the_rest: false,
        }
    }
}

impl Accepts {
    /// The largest form, in bytes: all its files, and its texts with what is around them.
    fn largest_form(&self) -> u64 {
        let files: u64 = self.files.iter().map(|file| file.largest).sum();
        LARGEST_FORM.max(files + (1 << 20))
    }
}

/// A file field.
#[derive(Clone, Copy, Debug)]
pub struct AcceptedFile {
    /// The field's name as it travels (`film_poster`).
    pub field: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// The largest file, in bytes; this size itself is taken.
    pub largest: u64,
}

impl AcceptedFile {
    /// A field for files of at most [`LARGEST_FILE`] bytes.
    pub const fn new(field: &'static str, takes: Takes) -> Self {
        Self { field, takes, largest: LARGEST_FILE }
    }

    /// The same field for files of at most so many bytes.
    #[must_use]
    pub const fn largest(mut self, bytes: u64) -> Self {
        self.largest = bytes;
        self
    }
}

/// A form that was read to its end.
#[derive(Debug)]
pub struct Received {
    /// The text fields that were sent, as they were typed (UTF-8 without NUL, at most 64 KiB each).
    pub values: BTreeMap<String, String>,
    /// The files that were sent, by field. An empty file input is not among them: it counts as missing.
    pub files: BTreeMap<&'static str, StagedFile>,
    /// The names of the fields that were passed over, shortened for the log.
    pub unknown: Vec<String>,
    /// What is wrong with single fields, where the form keeps the rest.
    pub wrong: Vec<FieldError>,
}

/// Throws away what still comes of a body, within bounds: browsers read our answer only when all is sent.
pub async fn discard_rest(stream: impl AsyncRead + Unpin) {
    Body::new(stream, 0, Pace::default()).discard_rest().await;
}

/// What a request says before its body.
#[derive(Clone, Copy, Default)]
pub struct RequestHead<'r> {
    /// The header `Content-Type`; empty where there is none.
    pub content_type: &'r str,
    /// The header `Content-Length`, in bytes.
    pub length: Option<u64>,
    /// Who counts as its sender, and when it came; `None`: how much it sends is not counted.
    pub client: Option<(IpAddr, Timestamp)>,
}

/// Receives multipart bodies within the configured limits.
pub struct MultipartReceiver<'a> {
    /// Where the files wait until they are kept.
    pub media: &'a Media,
    /// The limits.
    pub settings: &'a Uploads,
}

impl MultipartReceiver<'_> {
    /// Reads the form that `stream` brings. The stream need not be limited: what is read of it is.
    ///
    /// # Errors
    /// 400 malformed, 408 stopped coming, 413 too large (`{field} file must be less than 5MB`), 415 no multipart,
    /// 422 wrong fields or kinds of files (all of them at once), 503 too many at a time or no store, 507 no room.
    /// After an error nothing is left on disk.
    pub async fn receive<R>(&self, head: RequestHead<'_>, stream: R, accepts: &Accepts) -> Result<Received>
    where
        R: AsyncRead + Unpin + Send,
    {
        // The stream itself is not limited: the body is, and then what it throws away.
        self.receive_body(head, Body::new(stream, accepts.largest_form(), Pace::default()), accepts).await
    }

    async fn receive_body<R>(&self, head: RequestHead<'_>, mut body: Body<R>, accepts: &Accepts) -> Result<Received>
    where
        R: AsyncRead + Unpin + Send,
    {
        let read = match self.begin(head, accepts).await {
            // The slot is held until the files are checked: what waits for a core is bounded by it too.
            Ok((boundary, slot)) => {
                parts::read(self.media, &mut body, &boundary, accepts).await.map(|read| (read, slot))
            }
            Err(error) => Err(error),
        };
        // Browsers read our answer only when all is sent.
        body.discard_rest().await;
        let (parts, _slot) = read?;
        self.finish(parts, accepts.keep_the_rest).await
    }

    /// Refuses before the first byte what can be refused then; answers the boundary, and the form's slot.
    async fn begin(&self, head: RequestHead<'_>, accepts: &Accepts) -> Result<(String, Slot<'_>)> {
        let boundary = boundary(head.content_type)?;
        if head.length.is_some_and(|length| length > accepts.largest_form()) {
            return Err(parts::form_too_large());
        }
        let gate = self.media.gate(self.settings);
        let slot = gate.slots.acquire(head.client.map(|(client, _)| client)).await?;
        // Asked with the slot: others took room meanwhile.
        self.media.has_room(self.settings, 0).await?;
        if let Some((client, now)) = head.client {
            // Who does not say how much it is may send the most.
            gate.quota.count(client, head.length.unwrap_or(LARGEST_FORM), now)?;
        }
        Ok((boundary, slot))
    }

    /// Checks and cleans the files that were read.
    async fn finish(&self, parts: Parts, keep_the_rest: bool) -> Result<Received> {
        let Parts { values, files: sent, unknown, mut wrong, .. } = parts;
        let gate = self.media.gate(self.settings);
        let mut files = BTreeMap::new();
        for (field, file) in sent {
            match inspect::inspect(self.media, &self.settings.scanner, gate, file).await? {
                Ok(staged) => drop(files.insert(field, staged)),
                Err(words) => wrong.push(FieldError::new(field, words)),
            }
        }
        if !wrong.is_empty() && !keep_the_rest {
            return Err(Error::Invalid(wrong));
        }
        if !unknown.is_empty() {
            tracing::info!(count = unknown.len(), "a form had fields that we do not know");
        }
        Ok(Received { values, files, unknown, wrong })
    }
}

/// The boundary that the content type names.
fn boundary(content_type: &str) -> Result<String> {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("multipart/form-data") {
        return Err(Error::UnsupportedType("This address takes forms as multipart/form-data.".into()));
    }
    let malformed = || Error::BadRequest("The form's boundary is missing or malformed.".into());
    let boundary = multer::parse_boundary(content_type).map_err(|_| malformed())?;
    let fits = (1..=LONGEST_BOUNDARY).contains(&boundary.len()) && boundary.bytes().all(|b| (b' '..=b'~').contains(&b));
    if fits { Ok(boundary) } else { Err(malformed()) }
}

/// Bytes as people write hashes.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
