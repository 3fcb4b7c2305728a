//! A complete response that can be sent any number of times, with its ETag; compressed when first needed, and better
//! once it has stayed valid for a while.

use std::io::{Cursor, Write as _};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use rocket::http::{ContentType, Header, Status};
use rocket::{Request, Response};
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// Size of the chunks in which a response is sent, in bytes. Rocket's default of 4 KiB takes five times as long for a
/// list of films.
pub const CHUNK: usize = 64 * 1024;

/// Size from which responses are compressed, in bytes.
const MIN_COMPRESSED_BYTES: usize = 1_024;

/// Quality of Brotli for the first visitor, who waits for it: a list of films takes a few milliseconds.
const QUICK: i32 = 5;

/// Quality of Brotli for a response that stays: a seventh smaller, and thirty times as slow.
const SMALL: i32 = 10;

/// Age from which a response counts as one that stays. While organisers save every few seconds, nothing does.
const STAYS: Duration = Duration::from_secs(10);

/// One response at a time is compressed better; the others have to wait for a later request.
static TURN: Semaphore = Semaphore::const_new(1);

/// A response that can be sent any number of times.
pub struct CachedResponse {
    status: Status,
    content_type: ContentType,
    file_name: Option<&'static str>,
    location: Option<String>,
    identity: Bytes,
    gzip: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
    /// Better compressed, from some time after [`STAYS`].
    small: OnceLock<Bytes>,
    made: Instant,
    /// The ETags in the order of [`Encoding`]'s variants.
    tags: [String; 3],
    /// Where it is in the cache.
    key: OnceLock<CacheKey>,
}

/// A key of the cache. Among what is remembered with a request: that of its response.
#[derive(Clone)]
pub(crate) struct CacheKey(pub(crate) Arc<str>);

/// The content encoding of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

impl Encoding {
    /// Returns the best encoding that these values of `Accept-Encoding` allow.
    pub(crate) fn accepted<'v>(values: impl Iterator<Item = &'v str>) -> Self {
        let mut best = Self::Identity;
        for part in values.flat_map(|value| value.split(',')) {
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

    /// A permanent redirect.
    pub fn moved(location: String) -> Self {
        let text = format!("This page is at {location}\n");
        let response = Self::new(Status::MovedPermanently, ContentType::Plain, text.into_bytes());
        Self { location: Some(location), ..response }
    }

    /// A response with any content.
    pub fn new(status: Status, content_type: ContentType, bytes: Vec<u8>) -> Self {
        let hash = HEXLOWER.encode(&Sha256::digest(&bytes)[..12]);
        let tags = ["", "-gzip", "-br"].map(|encoding| format!("\"{hash}{encoding}\""));
        let (gzip, brotli, small) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let made = Instant::now();
        let (file_name, location, identity) = (None, None, bytes.into());
        let key = OnceLock::new();
        Self { status, content_type, file_name, location, identity, gzip, brotli, small, made, tags, key }
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

    /// Records under which key the response is cached.
    pub(crate) fn set_key(&self, key: &str) {
        self.key.get_or_init(|| CacheKey(key.into()));
    }

    /// The status.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Returns Rocket's response to a request: compressed as the client accepts, or a 304 if the client has it already.
    pub fn respond(self: &Arc<Self>, request: &Request<'_>, cache_control: Header<'static>) -> Response<'static> {
        request.local_cache(|| self.key.get().cloned());
        let encoding = self.encoding(request.headers().get("Accept-Encoding"));
        let tag = self.tag(encoding);
        let mut response = Response::build();
        response.header(cache_control).raw_header("Vary", "Accept-Encoding");
        let known = request.headers().get("If-None-Match").any(|sent| is_known(sent, tag));
        response.raw_header("ETag", tag.to_owned());
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
        if let Some(location) = &self.location {
            response.raw_header("Location", location.clone());
        }
        let body = self.encoded(encoding);
        // The body first, then the chunk size: in the other order Rocket forgets the chunk size.
        response.sized_body(body.len(), Cursor::new(body)).max_chunk_size(CHUNK).finalize()
    }

    /// Returns the encoding for a client that sent these values of `Accept-Encoding`.
    pub(crate) fn encoding<'v>(&self, accepted: impl Iterator<Item = &'v str>) -> Encoding {
        if self.identity.len() < MIN_COMPRESSED_BYTES { Encoding::Identity } else { Encoding::accepted(accepted) }
    }

    /// Returns the ETag of the response in this encoding.
    pub(crate) fn tag(&self, encoding: Encoding) -> &str {
        &self.tags[encoding as usize]
    }

    /// Returns the content in this encoding.
    pub(crate) fn encoded(self: &Arc<Self>, encoding: Encoding) -> Bytes {
        match encoding {
            Encoding::Identity => self.identity.clone(),
            Encoding::Gzip => self.gzip.get_or_init(|| gzip(&self.identity).map_or(Bytes::new(), Bytes::from)).clone(),
            Encoding::Brotli => {
                if let Some(small) = self.small.get() {
                    return small.clone();
                }
                if self.made.elapsed() >= STAYS {
                    drop(self.compress_better());
                }
                self.brotli.get_or_init(|| brotli(&self.identity, QUICK).into()).clone()
            }
        }
    }

    /// Starts to compress better in the background, unless another response has its turn.
    fn compress_better(self: &Arc<Self>) -> Option<JoinHandle<()>> {
        let turn = TURN.try_acquire().ok()?;
        let this = self.clone();
        Some(tokio::task::spawn_blocking(move || {
            this.small.get_or_init(|| brotli(&this.identity, SMALL).into());
            drop(turn);
        }))
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

fn brotli(bytes: &[u8], quality: i32) -> Vec<u8> {
    let mut out = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality, lgwin: 22, ..Default::default() };
    match brotli::BrotliCompress(&mut &bytes[..], &mut out, &parameters) {
        Ok(_) => out,
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn response_that_stays_is_compressed_better_once() {
        let text: String = (0..3_000).map(|i| format!("<li>film {} of {i}</li>", i * 7_919 % 101)).collect();
        let mut response = CachedResponse::html(Status::Ok, text);
        response.made = Instant::now().checked_sub(STAYS).unwrap();
        let response = Arc::new(response);
        let quick = response.encoded(Encoding::Brotli);
        // Once the turn is free again, the better compression is done.
        let _ = TURN.acquire().await.unwrap();
        response.encoded(Encoding::Brotli);
        let _ = TURN.acquire().await.unwrap();

        let small = response.encoded(Encoding::Brotli);
        assert!(small.len() < quick.len(), "{} is not less than {}", small.len(), quick.len());
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut &small[..], &mut plain).unwrap();
        assert_eq!(plain, response.bytes());
    }

    #[tokio::test]
    async fn new_response_is_compressed_quickly_only() {
        let response = Arc::new(CachedResponse::html(Status::Ok, "film ".repeat(1_000)));
        response.encoded(Encoding::Brotli);
        assert!(response.small.get().is_none());
    }
}
