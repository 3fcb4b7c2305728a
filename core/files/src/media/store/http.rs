//! The connections to an S3-compatible store: HTTP/1.1 by hyper, which serves the site too, and TLS by rustls.
//!
//! `object_store` would bring reqwest for this, with HTTP/2 and a second list of certificates.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector as Connect, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
    HttpResponseBody, HttpService,
};

/// Time to connect, TLS not included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Time after which an unused connection is closed; stores close theirs after some seconds more.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// Makes the connections.
#[derive(Debug, Default)]
pub(super) struct Connector;

impl Connect for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut tcp = HttpConnector::new();
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        tcp.set_nodelay(true);
        tcp.enforce_http(false);
        let provider = rustls::crypto::ring::default_provider();
        let tls = HttpsConnectorBuilder::new()
            .with_provider_and_webpki_roots(provider)
            .map_err(|error| object_store::Error::Generic { store: "S3", source: Box::new(error) })?
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_timer(TokioTimer::new())
            .build(tls);
        Ok(HttpClient::new(Connections(client)))
    }
}

#[derive(Debug)]
struct Connections(Client<HttpsConnector<HttpConnector>, HttpRequestBody>);

#[async_trait::async_trait]
impl HttpService for Connections {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let response = self.0.request(request).await.map_err(|error| HttpError::new(kind_of(&error), error))?;
        Ok(response.map(|body| HttpResponseBody::new(body.map_err(|error| HttpError::new(broken_kind(&error), error)))))
    }
}

/// Decides whether `object_store` sends a request again. Sending an object twice does no harm: it is only created where
/// there is none.
fn kind_of(error: &Error) -> HttpErrorKind {
    if error.is_connect() {
        return HttpErrorKind::Connect;
    }
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(cause) = cause.downcast_ref::<hyper::Error>() {
            return broken_kind(cause);
        }
        if let Some(cause) = cause.downcast_ref::<io::Error>() {
            return io_kind(cause);
        }
        source = cause.source();
    }
    HttpErrorKind::Unknown
}

fn broken_kind(error: &hyper::Error) -> HttpErrorKind {
    if error.is_closed() || error.is_incomplete_message() || error.is_body_write_aborted() {
        return HttpErrorKind::Request;
    }
    error.source().and_then(|cause| cause.downcast_ref::<io::Error>()).map_or(HttpErrorKind::Unknown, io_kind)
}

fn io_kind(error: &io::Error) -> HttpErrorKind {
    match error.kind() {
        io::ErrorKind::ConnectionAborted
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::UnexpectedEof => HttpErrorKind::Request,
        io::ErrorKind::TimedOut => HttpErrorKind::Timeout,
        _ => HttpErrorKind::Unknown,
    }
}
