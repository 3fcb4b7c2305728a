//! The connections to an S3-compatible store: HTTP/1.1 by hyper, which serves the site too, and TLS by rustls.
//!
//! `object_store` would bring reqwest for this, with HTTP/2 and a second list of certificates.

use std::error::Error as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector as Connect, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
    HttpResponseBody, HttpService,
};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{CertificateError, ClientConfig, RootCertStore};

/// Time to connect, TLS not included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Time after which an unused connection is closed; stores close theirs after some seconds more.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the connections.
#[derive(Debug)]
pub(super) struct Connector {
    tls: ClientConfig,
}

impl Connector {
    /// Connections whose certificates are checked against those in `ca_file`; without one, against those that browsers
    /// trust.
    ///
    /// # Errors
    /// A message that says what is wrong with the file.
    pub(super) fn new(ca_file: &str) -> Result<Self, String> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = builder.map_err(|error| error.to_string())?;
        let builder = if ca_file.is_empty() {
            builder.with_webpki_roots()
        } else {
            let invalid = |cause: &dyn std::fmt::Display| format!("s3.ca_file, {ca_file}, cannot be used: {cause}");
            let mut roots = RootCertStore::empty();
            for certificate in CertificateDer::pem_file_iter(ca_file).map_err(|error| invalid(&error))? {
                let certificate = certificate.map_err(|error| invalid(&error))?;
                roots.add(certificate).map_err(|error| invalid(&error))?;
            }
            if roots.is_empty() {
                return Err(invalid(&"it has no certificate"));
            }
            builder.with_root_certificates(roots)
        };
        Ok(Self { tls: builder.with_no_client_auth() })
    }
}

impl Connect for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut tcp = HttpConnector::new();
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        tcp.set_nodelay(true);
        tcp.enforce_http(false);
        let tls = HttpsConnectorBuilder::new()
            .with_tls_config(self.tls.clone())
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
    if certificate_problem(error).is_some() {
        return HttpErrorKind::Unknown; // A retry would fail too.
    }
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

/// What is wrong with the store's certificate, if that is the cause of `error`.
pub(super) fn certificate_problem(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(rustls::Error::InvalidCertificate(problem)) = error.downcast_ref() {
            return Some(sentence_of(problem));
        }
        // The source of an `io::Error` is that of the error that it wraps.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(wrapped) = wrapped {
            return certificate_problem(wrapped);
        }
        cause = error.source();
    }
    None
}

fn sentence_of(problem: &CertificateError) -> String {
    match problem {
        CertificateError::UnknownIssuer => {
            "its certificate is from an authority that is not trusted; if that is your own, set s3.ca_file".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name than the one in s3.endpoint".to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired, or the clock of this machine is wrong".to_owned()
        }
        other => format!("its certificate is not valid: {other}"),
    }
}
