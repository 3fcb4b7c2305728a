//! Files of the built frontend and public media, with ETags, ranges (which phones need for video) and the compressed
//! variants that the frontend's build makes.

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use rocket::http::{ContentType, Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request, Response};

use super::catcher;
use super::headers::WORKER;
use super::request::decoded_path;
use crate::cache::{CHUNK, Encoding, is_known};
use crate::site::Site;
use festival_base::error::Error;
use festival_files::media::{OpenFile, Rendition};

/// `Cache-Control` of files whose name contains a hash of their content.
pub(super) const FOREVER: &str = "public, max-age=31536000, immutable";
/// `Cache-Control` of the few files with fixed names (icons).
const AN_HOUR: &str = "public, max-age=3600";
/// `Cache-Control` of the service worker: browsers look for a newer one with every visit.
const ALWAYS_ASK: &str = "no-cache";
/// `Cache-Control` of an original that is sent while its smaller version is being made.
const A_MINUTE: &str = "public, max-age=60";
/// Size of the chunks in which a stored file is read and sent, in bytes. Several of them wait in memory for a client that
/// reads slowly.
const STREAMED: usize = 16 * 1024;
/// Time that a request waits for a smaller picture that is being made.
const RENDITION_TIMEOUT: Duration = Duration::from_secs(5);

/// `/media/...`: the public media store. Keys hold the hash of their content.
pub(super) fn media_route(site: &Arc<Site>) -> Route {
    Route::new(Method::Get, "/media/<path..>", ServeMedia { site: site.clone() })
}

/// `/assets/...`: styles, scripts and fonts of the built frontend.
pub fn assets_route(site: &Arc<Site>) -> Route {
    Route::new(Method::Get, "/assets/<path..>", ServeFrontend { site: site.clone() })
}

/// `/assets/...` and the files at the root of the built frontend.
pub(super) fn frontend_routes(site: &Arc<Site>) -> Vec<Route> {
    let serve = ServeFrontend { site: site.clone() };
    let mut routes = vec![assets_route(site)];
    for name in (site.frontend.names)() {
        if !name.contains('/') && !name.ends_with(".br") && !name.ends_with(".gz") && !name.ends_with(".html") {
            routes.push(Route::new(Method::Get, &format!("/{name}"), serve.clone()));
        }
    }
    routes
}

fn content_type(path: &str) -> ContentType {
    let extension = path.rsplit('.').next().unwrap_or_default();
    match extension {
        "webmanifest" => ContentType::new("application", "manifest+json"),
        "avif" => ContentType::new("image", "avif"),
        _ => ContentType::from_extension(extension).unwrap_or(ContentType::Binary),
    }
}

/// Returns the first and last byte of `length` that the `Range` header requests; `None` for the whole file, an error if
/// the range is outside of it. With an `If-Range` header the range counts only of the file with this `tag`.
fn range(request: &Request<'_>, length: u64, tag: &str) -> Result<Option<(u64, u64)>, ()> {
    if request.headers().get("If-Range").any(|sent| sent.trim() != tag) {
        return Ok(None);
    }
    let Some(spec) = request.headers().get_one("Range").and_then(|value| value.trim().strip_prefix("bytes=")) else {
        return Ok(None);
    };
    // A request for several ranges may be answered with the whole file.
    let Some((from, to)) = spec.split_once('-').filter(|_| !spec.contains(',')) else { return Ok(None) };
    let bounds = match (from.trim(), to.trim()) {
        ("", last) => last.parse::<u64>().ok().map(|count| (length.saturating_sub(count), length.saturating_sub(1))),
        (first, "") => first.parse().ok().map(|first| (first, length.saturating_sub(1))),
        (first, last) => match (first.parse(), last.parse::<u64>()) {
            (Ok(first), Ok(last)) if first <= last => Some((first, last.min(length.saturating_sub(1)))),
            _ => return Ok(None),
        },
    };
    match bounds {
        None => Ok(None),
        Some((first, last)) if first < length && first <= last => Ok(Some((first, last))),
        Some(_) => Err(()),
    }
}

/// Returns a 304 if the request's `If-None-Match` names this ETag.
pub(super) fn not_modified(request: &Request<'_>, tag: &str, cache: &'static str) -> Option<Response<'static>> {
    request.headers().get("If-None-Match").any(|sent| is_known(sent, tag)).then(|| {
        Response::build()
            .status(Status::NotModified)
            .raw_header("ETag", tag.to_owned())
            .raw_header("Cache-Control", cache)
            .finalize()
    })
}

#[derive(Clone)]
struct ServeFrontend {
    site: Arc<Site>,
}

#[rocket::async_trait]
impl Handler for ServeFrontend {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let path = decoded_path(request);
        let path = path.trim_start_matches('/');
        let encoding = Encoding::accepted(request.headers().get("Accept-Encoding"));
        let variant = [Encoding::Brotli, Encoding::Gzip]
            .into_iter()
            .filter(|candidate| {
                *candidate == encoding || (encoding == Encoding::Brotli && *candidate == Encoding::Gzip)
            })
            .find_map(|candidate| {
                let suffix = if candidate == Encoding::Brotli { "br" } else { "gz" };
                Some((candidate, (self.site.frontend.get)(&format!("{path}.{suffix}"))?))
            })
            .or_else(|| Some((Encoding::Identity, (self.site.frontend.get)(path)?)));
        // A development build reads from disk: reject hidden files and paths out of the folder.
        let is_plain = path.split('/').all(|part| !part.starts_with('.') && !part.contains(['\\', '%', '\0']));
        let Some((encoding, file)) = variant.filter(|_| is_plain) else {
            let error = Error::NotFound("There is no such file.".into());
            return Outcome::Success(catcher::error_page(&self.site, request, &error).await);
        };
        let hash = HEXLOWER.encode(&file.metadata.sha256_hash()[..12]);
        let tag = format!("\"{hash}\"");
        let cache = match path {
            _ if path.starts_with("assets/") => FOREVER,
            _ if WORKER.strip_prefix('/') == Some(path) => ALWAYS_ASK,
            _ => AN_HOUR,
        };
        if let Some(response) = not_modified(request, &tag, cache) {
            return Outcome::Success(response);
        }
        let mut response = Response::build();
        response
            .header(content_type(path))
            .raw_header("ETag", tag)
            .raw_header("Cache-Control", cache)
            .raw_header("Vary", "Accept-Encoding");
        if let Some(name) = encoding.name() {
            response.raw_header("Content-Encoding", name);
        }
        let bytes = file.data;
        Outcome::Success(response.sized_body(bytes.len(), Cursor::new(bytes)).max_chunk_size(CHUNK).finalize())
    }
}

#[derive(Clone)]
struct ServeMedia {
    site: Arc<Site>,
}

#[rocket::async_trait]
impl Handler for ServeMedia {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let path = decoded_path(request);
        let key = path.trim_start_matches("/media/");
        let served = match self.find(request, key).await {
            Ok(file) => file.respond(request).await,
            Err(error) => Err(error),
        };
        match served {
            Ok(response) => Outcome::Success(response),
            Err(error) => Outcome::Success(catcher::error_page(&self.site, request, &error).await),
        }
    }
}

impl ServeMedia {
    /// Opens the file under `key`: the original, or with `?w=480` the picture at that width.
    async fn find(&self, request: &Request<'_>, key: &str) -> Result<MediaFile, Error> {
        let media = &self.site.media;
        let width = request.uri().query().and_then(|query| query.segments().find(|(name, _)| *name == "w"));
        let rendition = match width {
            None => Rendition::Original,
            // A width that is not a number is treated like one that is not offered.
            Some((_, width)) => self.rendition(key.to_owned(), width.parse().unwrap_or(0)).await?,
        };
        let cache = if matches!(rendition, Rendition::OriginalForNow) { A_MINUTE } else { FOREVER };
        // The key holds the hash of the content.
        let tag = key.replace(['/', '.'], "-");
        Ok(match (rendition, width) {
            (Rendition::Scaled(file), Some((_, width))) => {
                MediaFile { file, tag: format!("\"{tag}-{width}\""), content_type: ContentType::WEBP, cache }
            }
            _ => {
                let file = media.open_public(key).await?;
                MediaFile { file, tag: format!("\"{tag}\""), content_type: content_type(key), cache }
            }
        })
    }

    /// Returns the picture under `key` at `width`, or the original if scaling takes too long. Scaling then continues in
    /// the background, for later requests.
    async fn rendition(&self, key: String, width: u32) -> Result<Rendition, Error> {
        let media = self.site.media.clone();
        let making = tokio::spawn(async move { media.rendition(&key, width).await });
        match tokio::time::timeout(RENDITION_TIMEOUT, making).await {
            Ok(made) => made.map_err(Error::internal)?,
            Err(_) => Ok(Rendition::OriginalForNow),
        }
    }
}

/// An open file of the media store, with its headers.
struct MediaFile {
    file: OpenFile,
    tag: String,
    content_type: ContentType,
    cache: &'static str,
}

impl MediaFile {
    async fn respond(self, request: &Request<'_>) -> Result<Response<'static>, Error> {
        if let Some(response) = not_modified(request, &self.tag, self.cache) {
            return Ok(response);
        }
        let length = self.file.length();
        let range = range(request, length, &self.tag);
        let mut response = Response::build();
        response
            .header(self.content_type)
            .raw_header("ETag", self.tag)
            .raw_header("Accept-Ranges", "bytes")
            .raw_header("Cache-Control", self.cache);
        match range {
            Err(()) => {
                response.status(Status::RangeNotSatisfiable).raw_header("Content-Range", format!("bytes */{length}"));
                Ok(response.finalize())
            }
            Ok(None) => {
                response.raw_header("Content-Length", length.to_string());
                Ok(response.streamed_body(self.file.content().await?).max_chunk_size(STREAMED).finalize())
            }
            Ok(Some((first, last))) => {
                let count = last - first + 1;
                response
                    .status(Status::PartialContent)
                    .raw_header("Content-Range", format!("bytes {first}-{last}/{length}"))
                    .raw_header("Content-Length", count.to_string());
                Ok(response.streamed_body(self.file.range(first, last).await?).max_chunk_size(STREAMED).finalize())
            }
        }
    }
}
