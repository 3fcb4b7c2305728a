//! Responses of the site.

use std::io::Read as _;

use rocket::http::Status;
use rocket::local::asynchronous::LocalResponse;
use serde_json::Value;

/// A complete response.
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(super) async fn read(response: LocalResponse<'_>) -> Self {
        let status: Status = response.status();
        let headers = response.headers().iter().map(|h| (h.name().to_string(), h.value().to_owned())).collect();
        Self { status: status.code, headers, body: response.into_bytes().await.unwrap_or_default() }
    }

    pub(crate) fn new(status: u16, headers: Vec<(String, String)>, body: Vec<u8>) -> Self {
        Self { status, headers, body }
    }

    /// The values of a header, joined by ", "; "" if there is none.
    pub(crate) fn header(&self, name: &str) -> String {
        let values: Vec<&str> = self
            .headers
            .iter()
            .filter(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
            .collect();
        values.join(", ")
    }

    /// All headers.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (String, &str)> {
        self.headers.iter().map(|(name, value)| (name.clone(), value.as_str()))
    }

    /// The body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("the body is UTF-8")
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("Content-Type"), "application/json", "{}", self.text());
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// The body, decoded as its Content-Encoding says.
    pub(crate) fn unpacked(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self.header("Content-Encoding").as_str() {
            "" => out.clone_from(&self.body),
            "gzip" => {
                flate2::read::GzDecoder::new(&self.body[..]).read_to_end(&mut out).expect("the body is gzip");
            }
            "br" => brotli::BrotliDecompress(&mut &self.body[..], &mut out).expect("the body is brotli"),
            other => panic!("Content-Encoding {other}"),
        }
        out
    }

    /// Asserts an API error (status, code, message, request id) and returns its message.
    pub(crate) fn assert_error(&self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let body = self.json();
        assert_eq!(body["code"], code);
        assert_eq!(body["request_id"], self.header("X-Request-Id"));
        assert_eq!(self.header("Cache-Control"), "no-store");
        let sentence = body["error"].as_str().expect("an error has a message").to_owned();
        assert!(sentence.ends_with('.') || sentence.contains(". "), "{sentence}");
        sentence
    }
}
