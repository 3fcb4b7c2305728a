//! Forms with files: one way in for everything that people send as `multipart/form-data`.
//!
//! [`receive`] reads a form from the network with bounded memory, keeps its files on disk, tells by their bytes
//! what they are and cleans them. What comes out is text and [`StagedFile`]s; nothing of it is kept until
//! [`Media::commit_private`](crate::media::Media::commit_private) says so.

mod body;
mod gate;
mod inspect;
mod jpeg;
mod kind;
mod name;
mod parts;
mod pdf;
mod picture;
mod quota;
mod staged;
#[cfg(test)]
mod tests;
mod webp;
pub(crate) mod workers;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use body::{Body, Pace};
pub(crate) use gate::Gate;
use image::DynamicImage;
use jiff::Timestamp;
use parts::Parts;
use picture::Picture;
use rocket::data::ByteUnit;
use rocket::{Data, Request};
pub use staged::StagedFile;
use tokio::io::AsyncRead;

use crate::app::App;
use crate::entity::Values;
use crate::error::{Error, FieldError, Result};
use crate::http::{client_address, client_network};
use crate::media::Media;
use crate::settings::Uploads;

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

/// What a file field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// JPEG, PNG, WebP.
    Picture,
    /// JPEG, PNG, WebP, PDF.
    PictureOrPdf,
    /// PDF.
    Pdf,
    /// MP4.
    Video,
    /// A table: CSV, TSV, XLSX. Whether it is one, [`crate::sheet`] says where it is read.
    Table,
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
    pub values: Values,
    /// The files that were sent, by field. An empty file input is not among them: it counts as missing.
    pub files: BTreeMap<&'static str, StagedFile>,
    /// The names of the fields that were passed over, shortened for the log.
    pub unknown: Vec<String>,
    /// What is wrong with single fields, where the form keeps the rest.
    pub wrong: Vec<FieldError>,
}

/// Reads the form of `request`.
///
/// # Errors
/// 400 malformed, 408 stopped coming, 413 too large (`{field} file must be less than 5MB`), 415 no multipart,
/// 422 wrong fields or kinds of files (all of them at once), 503 too many at a time or no store, 507 no room.
/// After an error nothing is left on disk.
pub async fn receive(app: &Arc<App>, request: &Request<'_>, data: Data<'_>, accepts: &Accepts) -> Result<Received> {
    let headers = request.headers();
    let said = Said {
        content_type: headers.get_one("Content-Type").unwrap_or_default(),
        length: headers.get_one("Content-Length").and_then(|length| length.parse().ok()),
        client: Some((client_network(client_address(request, &app.settings.trusted_proxies)), app.clock.now())),
    };
    // The stream itself is not limited: the body is, and then what it throws away.
    let body = Body::new(data.open(ByteUnit::max_value()), accepts.largest_form(), Pace::default());
    Desk { media: &app.media, settings: &app.settings.uploads }.receive(said, body, accepts).await
}

/// Throws away what still comes of a body, within bounds: browsers read our answer only when all is sent.
pub async fn discard_rest(stream: impl AsyncRead + Unpin) {
    Body::new(stream, 0, Pace::default()).discard_rest().await;
}

/// What a request says before its body.
#[derive(Clone, Copy, Default)]
struct Said<'r> {
    content_type: &'r str,
    length: Option<u64>,
    /// Who counts as its sender, and when it came.
    client: Option<(IpAddr, Timestamp)>,
}

/// Where forms are handed in.
struct Desk<'a> {
    media: &'a Media,
    settings: &'a Uploads,
}

impl Desk<'_> {
    async fn receive<R>(&self, said: Said<'_>, mut body: Body<R>, accepts: &Accepts) -> Result<Received>
    where
        R: AsyncRead + Unpin + Send,
    {
        let read = self.read(said, &mut body, accepts).await;
        // Browsers read our answer only when all is sent.
        body.discard_rest().await;
        self.finish(read?, accepts.keep_the_rest).await
    }

    /// Reads the form while it is our turn; refuses before the first byte what can be refused then.
    async fn read<R>(&self, said: Said<'_>, body: &mut Body<R>, accepts: &Accepts) -> Result<Parts>
    where
        R: AsyncRead + Unpin + Send,
    {
        let boundary = boundary(said.content_type)?;
        if said.length.is_some_and(|length| length > accepts.largest_form()) {
            return Err(parts::form_too_large());
        }
        let gate = self.media.gate(self.settings);
        let _turn = gate.turn().await?;
        // Asked when it is our turn: others took room meanwhile.
        self.media.has_room(self.settings, 0).await?;
        if let Some((client, now)) = said.client {
            // Who does not say how much it is may send the most.
            gate.quota.count(client, said.length.unwrap_or(LARGEST_FORM), now)?;
        }
        parts::read(self.media, body, &boundary, accepts).await
    }

    /// Checks and cleans the files that were read.
    async fn finish(&self, parts: Parts, keep_the_rest: bool) -> Result<Received> {
        let Parts { values, files: sent, unknown, mut wrong } = parts;
        let gate = self.media.gate(self.settings);
        let mut files = BTreeMap::new();
        for (field, file) in sent {
            match inspect::inspect(self.media, gate, file).await? {
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

/// The pixels of a picture, the right way up; a sentence where it is none that we read, or too large.
pub(crate) fn decode_picture(bytes: Vec<u8>) -> Result<DynamicImage, String> {
    Picture::look(kind::tell(&bytes, Takes::Picture)?, bytes)?.decode()
}

/// Bytes as people write hashes.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
