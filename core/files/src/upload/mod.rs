//! Receiving of forms with files (`multipart/form-data`).
//!
//! [`MultipartReceiver`] reads a form with bounded memory, writes its files to disk, detects their kinds by content,
//! and checks and cleans them. The result is texts and [`StagedFile`]s, which are deleted unless
//! [`Media::commit_private`] or
//! [`Media::commit_public`] stores them.

mod accepts;
mod body;
mod inspect;
mod name;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::IpAddr;

use accepts::MAX_FORM_BYTES;
pub use accepts::{AcceptedFile, Accepts, MAX_FILE_BYTES};
use body::{Body, Pace};
use jiff::Timestamp;
use parts::Parts;
pub use parts::incomplete_form;
use tokio::io::AsyncRead;

use crate::media::{Media, Slot, StagedFile};
use festival_base::error::{Error, FieldError, Result};
use festival_base::settings::Uploads;

/// Maximum length of a boundary (RFC 2046).
const MAX_BOUNDARY: usize = 70;

/// A completely received form.
#[derive(Debug)]
pub struct Received {
    /// The text fields by name, unchanged (UTF-8 without NUL).
    pub values: BTreeMap<String, String>,
    /// The files by field. An empty file input counts as missing.
    pub files: BTreeMap<&'static str, StagedFile>,
    /// The names of ignored fields, truncated for the log.
    pub unknown: Vec<String>,
    /// The errors of single fields, with [`Accepts::tolerate_errors`].
    pub errors: Vec<FieldError>,
}

/// The head of a request, as far as it matters for receiving the body.
#[derive(Clone, Copy, Default)]
pub struct RequestHead<'r> {
    /// The header `Content-Type`; empty where there is none.
    pub content_type: &'r str,
    /// The header `Content-Length`, in bytes.
    pub length: Option<u64>,
    /// The client's address (see [`client_network`](festival_base::network::client_network)) and the time, for quota
    /// and slots. `None`: they do not apply.
    pub client: Option<(IpAddr, Timestamp)>,
}

/// Receives multipart bodies within the configured limits.
pub struct MultipartReceiver<'a> {
    /// The stores that files are staged in.
    pub media: &'a Media,
    /// The limits.
    pub settings: &'a Uploads,
}

impl MultipartReceiver<'_> {
    /// Receives a form, and awaits `begun` once its first field has arrived. The stream need not be limited; reading
    /// stops at the form's limits.
    ///
    /// # Errors
    /// 400 malformed, 408 stalled, 413 too large (`{field} file must be less than 5MB`), 415 not multipart,
    /// 422 invalid fields or kinds of files (all at once), 503 too many concurrent forms or store unavailable, 507 disk
    /// full or quota exceeded. No file is left on disk after an error.
    pub async fn receive<R>(
        &self,
        head: RequestHead<'_>,
        stream: R,
        accepts: &Accepts,
        begun: impl Future<Output = ()> + Send,
    ) -> Result<Received>
    where
        R: AsyncRead + Unpin + Send,
    {
        self.receive_body(head, Body::new(stream, accepts.max_form_bytes(), Pace::default()), accepts, begun).await
    }

    async fn receive_body<R>(
        &self,
        head: RequestHead<'_>,
        mut body: Body<R>,
        accepts: &Accepts,
        begun: impl Future<Output = ()> + Send,
    ) -> Result<Received>
    where
        R: AsyncRead + Unpin + Send,
    {
        // The slot is held until the files are checked, which bounds the number of waiting files too.
        let (boundary, _slot) = self.begin(head, accepts).await?;
        let parts = parts::read(self.media, &mut body, &boundary, accepts, begun).await?;
        self.finish(parts, accepts.tolerate_errors).await
    }

    /// Checks everything that can be checked before the body is read; returns the boundary and a slot.
    async fn begin(&self, head: RequestHead<'_>, accepts: &Accepts) -> Result<(String, Slot<'_>)> {
        let boundary = boundary(head.content_type)?;
        if head.length.is_some_and(|length| length > accepts.max_form_bytes()) {
            return Err(parts::form_too_large());
        }
        let gate = self.media.gate(self.settings);
        let slot = gate.slots.acquire(head.client.map(|(client, _)| client)).await?;
        // After waiting for the slot, because others used disk space in the meantime.
        self.media.check_free_space(self.settings, 0).await?;
        if let Some((client, now)) = head.client {
            // Without a length the maximum is assumed.
            gate.quota.charge(client, head.length.unwrap_or(MAX_FORM_BYTES), now)?;
        }
        Ok((boundary, slot))
    }

    /// Checks and cleans the files that were read.
    async fn finish(&self, parts: Parts, tolerate_errors: bool) -> Result<Received> {
        let Parts { values, files: sent, unknown, mut errors, .. } = parts;
        let gate = self.media.gate(self.settings);
        let mut files = BTreeMap::new();
        for (field, file) in sent {
            match inspect::inspect(self.media, &self.settings.scanner, gate, file).await? {
                Ok(staged) => drop(files.insert(field, staged)),
                Err(message) => errors.push(FieldError::new(field, message)),
            }
        }
        if !errors.is_empty() && !tolerate_errors {
            return Err(Error::Invalid(errors));
        }
        if !unknown.is_empty() {
            tracing::info!(count = unknown.len(), "ignored unknown form fields");
        }
        Ok(Received { values, files, unknown, errors })
    }
}

/// Parses the boundary from the content type.
fn boundary(content_type: &str) -> Result<String> {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("multipart/form-data") {
        return Err(Error::UnsupportedType("This address accepts forms as multipart/form-data only.".into()));
    }
    let malformed = || Error::BadRequest("The form's boundary is missing or malformed.".into());
    let boundary = multer::parse_boundary(content_type).map_err(|_| malformed())?;
    let is_valid = (1..=MAX_BOUNDARY).contains(&boundary.len()) && boundary.bytes().all(|b| (b' '..=b'~').contains(&b));
    if is_valid { Ok(boundary) } else { Err(malformed()) }
}
