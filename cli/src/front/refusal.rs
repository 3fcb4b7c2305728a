//! The responses that the front server sends by itself, each the last one of its connection.

use std::fmt;

use festival_core::http::{COMMON_HEADERS, FILE_POLICY, new_request_id};

/// Why a request is not passed on to Rocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is not valid HTTP, or its body ended too early.
    Invalid,
    /// Its address names another host than its `Host` header.
    HostMismatch,
    /// Its address is too long.
    UriTooLong,
    /// Its head is too long.
    TooLarge,
    /// There are too many connections, or Rocket does not respond.
    Unavailable,
}

impl Refusal {
    /// Returns the complete response.
    pub(super) fn response(self) -> Vec<u8> {
        let (status, retry, message) = match self {
            Self::Invalid => ("400 Bad Request", "", "The request could not be understood."),
            Self::HostMismatch => ("400 Bad Request", "", "The request names two hosts."),
            Self::UriTooLong => ("414 URI Too Long", "", "The address is too long."),
            Self::TooLarge => ("431 Request Header Fields Too Large", "", "The headers are too long."),
            Self::Unavailable => {
                ("503 Service Unavailable", "Retry-After: 5\r\n", "The site is busy. Please try again in a moment.")
            }
        };
        let common: String = COMMON_HEADERS.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n{retry}\
             Cache-Control: no-store\r\n{common}Content-Security-Policy: {FILE_POLICY}\r\nX-Request-Id: {id}\r\n\
             Connection: close\r\n\r\n{message}",
            length = message.len(),
            id = new_request_id()
        )
        .into_bytes()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self:?}")
    }
}

impl std::error::Error for Refusal {}
