//! A complete response that can be sent any number of times, with its ETag; compressed once, when first needed.

use std::io::{Cursor, Write as _};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use rocket::http::{ContentType, Header, Status};
use rocket::{Request, Response};
use sha2::{Digest as _, Sha256};

/// Size of the chunks in which a response is sent, in bytes. Rocket's default of 4 KiB takes five times as long for a
/// list of films.
pub const CHUNK: usize = 64 * 1024;

/// Size from which responses are compressed, in bytes.
const MIN_COMPRESSED_BYTES: usize = 1_024;

/// A response that can be sent any number of times.
pub struct CachedResponse {
    status: Status,
    content_type: ContentType,
    file_name: Option<&'static str>,
    identity: Bytes,
    gzip: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
    /// The hash of the content, without quotes.
    tag: String,
}

/// The content encoding of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

impl Encoding {
    /// Returns the best encoding that the request's `Accept-Encoding` allows.
    pub(crate) fn accepted(request: &Request<'_>) -> Self {
        let mut best = Self::Identity;
        for part in request.headers().get("Accept-Encoding").flat_map(|value| value.split(',')) {
            let mut pieces = part.split(';').map(str::trim);
            let name = pieces.next().unwrap_or_default();
            if pieces.any(|piece| matches!(piece.replace(' ', "").as_str(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")) {
                continue;
            }
            match name {
                "br" => return Self::Brotli,
                "gzip" => best = Self::Gzip,
                _ => {}
            }
        }
        best
    }

    /// Returns the name in headers; none for no encoding.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }
}

impl CachedResponse {
    /// A JSON response with 200.
    pub fn json(bytes: Vec<u8>) -> Self {
        Self::new(Status::Ok, ContentType::JSON, bytes)
    }

    /// An HTML page.
    pub fn html(status: Status, text: String) -> Self {
        Self::new(status, ContentType::HTML, text.into_bytes())
    }

    /// A response with any content.
    pub fn new(status: Status, content_type: ContentType, bytes: Vec<u8>) -> Self {
        let tag = Sha256::digest(&bytes)[..12].iter().map(|byte| format!("{byte:02x}")).collect();
        let (gzip, brotli) = (OnceLock::new(), OnceLock::new());
        Self { status, content_type, file_name: None, identity: bytes.into(), gzip, brotli, tag }
    }

    /// Browsers download the response under this name instead of displaying it.
    #[must_use]
    pub fn saved_as(mut self, name: &'static str) -> Self {
        self.file_name = Some(name);
        self
    }

    /// The uncompressed content.
    pub fn bytes(&self) -> &[u8] {
        &self.identity
    }

    /// The status.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Returns Rocket's response to a request: compressed as the client accepts, or a 304 if the client has it already.
    pub fn respond(self: &Arc<Self>, request: &Request<'_>, cache_control: Header<'static>) -> Response<'static> {
        let encoding =
            if self.identity.len() < MIN_COMPRESSED_BYTES { Encoding::Identity } else { Encoding::accepted(request) };
        let tag = match encoding.name() {
            None => format!("\"{}\"", self.tag),
            Some(name) => format!("\"{}-{name}\"", self.tag),
        };
        let mut response = Response::build();
        response.header(cache_control).raw_header("Vary", "Accept-Encoding");
        let known = request.headers().get("If-None-Match").any(|sent| is_known(sent, &tag));
        response.raw_header("ETag", tag);
        if known && self.status == Status::Ok {
            return response.status(Status::NotModified).finalize();
        }
        response.status(self.status).header(self.content_type.clone());
        if let Some(name) = encoding.name() {
            response.raw_header("Content-Encoding", name);
        }
        if let Some(name) = self.file_name {
            response.raw_header("Content-Disposition", format!("attachment; filename=\"{name}\""));
        }
        let body = self.encoded(encoding);
        // The body first, then the chunk size: in the other order Rocket forgets the chunk size.
        response.sized_body(body.len(), Cursor::new(body)).max_chunk_size(CHUNK).finalize()
    }

    fn encoded(&self, encoding: Encoding) -> Bytes {
        match encoding {
            Encoding::Identity => self.identity.clone(),
            Encoding::Gzip => self.gzip.get_or_init(|| gzip(&self.identity).map_or(Bytes::new(), Bytes::from)).clone(),
            Encoding::Brotli => self.brotli.get_or_init(|| brotli(&self.identity).into()).clone(),
        }
    }
}

/// Whether an `If-None-Match` names this ETag.
pub(crate) fn is_known(sent: &str, tag: &str) -> bool {
    sent.trim() == "*" || sent.split(',').any(|known| known.trim().trim_start_matches("W/") == tag)
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    // Quality 5 compresses a list of films in a few milliseconds, for which the first visitor waits.
    let parameters = brotli::enc::BrotliEncoderParams { quality: 5, lgwin: 22, ..Default::default() };
    match brotli::BrotliCompress(&mut &bytes[..], &mut out, &parameters) {
        Ok(_) => out,
        Err(_) => Vec::new(),
    }
}
