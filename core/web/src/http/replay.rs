//! Replays: what Rocket has answered from the cache before, the front server answers without it, with the same headers.
//! Whatever is unusual about a request is left to Rocket.

use std::net::IpAddr;
use std::str::from_utf8;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use rocket::fairing::{Fairing, Info, Kind};
use rocket::http::Status;

use super::client::is_plain_http;
use super::headers::log_line;
use super::request_id::new_request_id;
use super::supervised::class_of;
use crate::cache::{CacheKey, is_known};
use crate::metrics::{CacheOutcome, RouteClass};
use crate::site::{ARCHIVE, Site};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Headers that differ between responses with the same other headers.
const VARYING: [HeaderName; 3] = [REQUEST_ID, header::ETAG, header::CONTENT_ENCODING];
/// Headers of requests that Rocket answers: a body, or something that a response may depend on.
const UNUSUAL: [HeaderName; 8] = [
    header::AUTHORIZATION,
    header::CONTENT_LENGTH,
    header::COOKIE,
    header::EXPECT,
    header::ORIGIN,
    header::RANGE,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Returns the response to a request of `peer`, if Rocket would respond with the same, but for the id: from the cache,
/// up to date.
pub fn replay<B>(site: &Site, peer: IpAddr, request: &Request<B>) -> Option<Response<Bytes>> {
    let started_at = Instant::now();
    let (uri, sent) = (request.uri(), request.headers());
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read || uri.authority().is_some() || sent.keys().any(|name| UNUSUAL.contains(name)) {
        return None;
    }
    let values = |name: &str| sent.get_all(name).into_iter().filter_map(|value| from_utf8(value.as_bytes()).ok());
    let is_plain = || is_plain_http(peer, values("x-forwarded-proto"), &site.settings.trusted_proxies);
    if site.settings.is_https() && is_plain() {
        return None;
    }
    let address = address(sent.get_all(header::HOST).iter().map(HeaderValue::to_str), uri.path_and_query()?.as_str())?;
    let (key, head) = site.replays.get(&address)?;
    let response = site.cache.get(&key.0, site.cache_version()).filter(|found| found.status() == Status::Ok)?;
    let encoding = response.encoding(values("accept-encoding"));
    let tag = response.tag(encoding);
    let is_known = values("if-none-match").any(|sent| is_known(sent, tag));
    let (variant, body) =
        if is_known { (&head.not_modified, Bytes::new()) } else { (&head.ok, response.encoded(encoding)) };
    let mut headers = variant.headers.clone();
    if let Some(name) = encoding.name().filter(|_| !is_known) {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    }
    let id = new_request_id();
    headers.insert(header::ETAG, HeaderValue::from_str(tag).ok()?);
    headers.insert(REQUEST_ID, HeaderValue::try_from(&id).ok()?);
    let duration = started_at.elapsed();
    site.metrics.cache(CacheOutcome::Hit);
    variant.metrics.record(duration);
    log_line(&id, request.method().as_str(), uri.path(), variant.status, duration);
    let mut response = Response::new(body);
    (*response.status_mut(), *response.headers_mut()) = (StatusCode::from_u16(variant.status.code).ok()?, headers);
    Some(response)
}

/// Returns the text by which a response is found: the host as it was sent, and the target of the request. None without a
/// host, or with several.
fn address<'h, E>(mut hosts: impl Iterator<Item = Result<&'h str, E>>, target: &str) -> Option<String> {
    let host = hosts.next()?.ok()?;
    hosts.next().is_none().then(|| [host, " ", target].concat())
}

/// Records the headers of cached responses. The last of the response fairings.
pub(super) struct Record {
    pub(super) site: Arc<Site>,
}

#[rocket::async_trait]
impl Fairing for Record {
    fn info(&self) -> Info {
        Info { name: "record headers for replays", kind: Kind::Response }
    }

    async fn on_response<'r>(&self, request: &'r rocket::Request<'_>, response: &mut rocket::Response<'r>) {
        let Some(key) = request.local_cache(|| None::<CacheKey>).clone() else { return };
        let (uri, class, sent) = (request.uri(), class_of(request), request.headers());
        // Which parameters of a page count depends on the data.
        if response.status() != Status::Ok
            || uri.query().is_some() && class != RouteClass::Api
            || uri.path().starts_with(ARCHIVE)
            || UNUSUAL.iter().any(|name| sent.contains(name.as_str()))
        {
            return;
        }
        let Some(address) = address(sent.get("Host").map(Ok::<_, ()>), &uri.to_string()) else { return };
        if self.site.replays.get(&address).is_some() {
            return;
        }
        let mut headers = HeaderMap::new();
        for header in response.headers().iter() {
            let value = HeaderValue::from_str(header.value());
            let (Ok(name), Ok(value)) = (HeaderName::try_from(header.name().as_str()), value) else { return };
            if !VARYING.contains(&name) {
                headers.append(name, value);
            }
        }
        self.site.replays.put(address, key, class, headers, &self.site.metrics);
    }
}
