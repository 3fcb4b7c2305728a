//! A finished response in memory: its bytes, squeezed once, its ETag, and how it goes out.

use std::io::{Cursor, Write as _};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use rocket::http::{ContentType, Header, Status};
use rocket::{Request, Response};
use sha2::{Digest as _, Sha256};

/// The size of the chunks in which an answer is sent, in bytes: Rocket's of 4 KiB cost five times as much on a list of films.
pub const CHUNK: usize = 64 * 1024;

/// Below this many bytes squeezing costs more than it saves.
const WORTH_SQUEEZING: usize = 1_024;

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

/// How an answer is squeezed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

impl Encoding {
    /// The best that the visitor's `Accept-Encoding` allows.
    pub(super) fn accepted(request: &Request<'_>) -> Self {
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

    /// The name in headers.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }
}

impl CachedResponse {
    /// A 200 with JSON.
    pub fn json(bytes: Vec<u8>) -> Self {
        Self::new(Status::Ok, ContentType::JSON, bytes)
    }

    /// A whole page.
    pub fn html(status: Status, text: String) -> Self {
        Self::new(status, ContentType::HTML, text.into_bytes())
    }

    /// Anything.
    pub fn new(status: Status, content_type: ContentType, bytes: Vec<u8>) -> Self {
        let tag = Sha256::digest(&bytes)[..12].iter().map(|byte| format!("{byte:02x}")).collect();
        let (gzip, brotli) = (OnceLock::new(), OnceLock::new());
        Self { status, content_type, file_name: None, identity: bytes.into(), gzip, brotli, tag }
    }

    /// Browsers save it under this name instead of showing it.
    #[must_use]
    pub fn saved_as(mut self, name: &'static str) -> Self {
        self.file_name = Some(name);
        self
    }

    /// The content as it is.
    pub fn bytes(&self) -> &[u8] {
        &self.identity
    }

    /// The status it goes out with.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The response: 304 where the visitor has it already, squeezed as the visitor likes.
    pub fn respond(self: &Arc<Self>, request: &Request<'_>, cache_control: Header<'static>) -> Response<'static> {
        let encoding =
            if self.identity.len() < WORTH_SQUEEZING { Encoding::Identity } else { Encoding::accepted(request) };
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
pub(super) fn is_known(sent: &str, tag: &str) -> bool {
    sent.trim() == "*" || sent.split(',').any(|one| one.trim().trim_start_matches("W/") == tag)
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    // Quality 5: a list of films in a few milliseconds; the visitors wait for the first of these.
    let parameters = brotli::enc::BrotliEncoderParams { quality: 5, lgwin: 22, ..Default::default() };
    match brotli::BrotliCompress(&mut &bytes[..], &mut out, &parameters) {
        Ok(_) => out,
        Err(_) => Vec::new(),
    }
}
