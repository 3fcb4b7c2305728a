//! The first request head of a connection: whether it is complete, its length and its host. Also the responses that the
//! front proxy sends by itself.

use festival_core::http::{COMMON_HEADERS, FILE_POLICY, new_request_id};

/// Length limit of a request head, in bytes.
pub(super) const MAX_HEAD_BYTES: usize = 16 * 1024;
/// Length limit of a request line, in bytes.
const MAX_REQUEST_LINE_BYTES: usize = 8 * 1024;
/// Paths of the health checks.
const HEALTH_CHECKS: [&str; 2] = ["/healthz", "/readyz"];

/// What is known of a request head from the bytes received so far.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HeadStatus {
    /// It is complete; more bytes may follow it.
    Complete,
    /// It is not complete yet.
    Incomplete,
    /// The request line is too long (414).
    UriTooLong,
    /// The head is too long (431).
    TooLarge,
    /// The address names another host than the `Host` header (400). Rocket reads the header only.
    HostMismatch,
}

impl HeadStatus {
    /// Examines the bytes that a connection begins with.
    pub(super) fn of(bytes: &[u8]) -> Self {
        // Empty lines before a request are ignored (RFC 9112, 2.2).
        let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(bytes.len());
        let head = &bytes[start..];
        let first_line = head.iter().position(|byte| *byte == b'\n').unwrap_or(head.len());
        let is_end = |bytes: &[u8]| matches!(bytes, [b'\n', b'\n', ..] | [b'\n', b'\r', b'\n']);
        let end = (0..head.len()).find(|at| is_end(&head[*at..head.len().min(at + 3)]));
        if first_line > MAX_REQUEST_LINE_BYTES {
            Self::UriTooLong
        } else if start + end.unwrap_or(head.len()) > MAX_HEAD_BYTES {
            Self::TooLarge
        } else if let Some(end) = end {
            if has_host_mismatch(&String::from_utf8_lossy(&head[..end])) { Self::HostMismatch } else { Self::Complete }
        } else {
            Self::Incomplete
        }
    }

    /// Returns the error response for a head that is not forwarded.
    pub(super) fn rejection(&self) -> Option<Vec<u8>> {
        match self {
            Self::Complete | Self::Incomplete => None,
            Self::UriTooLong => Some(error_response(414, "URI Too Long", "The address is too long.")),
            Self::TooLarge => Some(error_response(431, "Request Header Fields Too Large", "The headers are too long.")),
            Self::HostMismatch => Some(error_response(400, "Bad Request", "The request names two hosts.")),
        }
    }
}

/// Whether the request line has an absolute address, `http://host/path`, of another host than the `Host` header.
fn has_host_mismatch(head: &str) -> bool {
    let mut lines = head.lines();
    let address = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let Some((_, rest)) = address.split_once("://").filter(|_| !address.starts_with('/')) else { return false };
    let host_of_address = rest.split(['/', '?']).next().unwrap_or_default();
    let mut hosts = lines.filter_map(|line| line.split_once(':')).filter(|(name, _)| name.eq_ignore_ascii_case("host"));
    !hosts.all(|(_, host)| host.trim().eq_ignore_ascii_case(host_of_address))
}

/// Returns where in `bytes` the bare error response begins that Rocket's HTTP server sends to an invalid request before
/// it closes the connection: a 4xx without a body and without the headers of all other responses.
pub(super) fn find_bare_error(bytes: &[u8]) -> Option<usize> {
    const STATUS_LINE_START: &[u8] = b"HTTP/1.1 4";
    let response = bytes.strip_suffix(b"\r\n\r\n")?;
    let start = response.windows(STATUS_LINE_START.len()).rposition(|window| window == STATUS_LINE_START)?;
    let head = String::from_utf8_lossy(&response[start..]).to_ascii_lowercase();
    let is_bare = head.contains("content-length: 0\r\n") && !head.contains("x-request-id:");
    is_bare.then_some(start)
}

/// Returns the response to an invalid request.
pub(super) fn bad_request() -> Vec<u8> {
    error_response(400, "Bad Request", "The request could not be understood.")
}

/// Returns the response to a connection beyond the limit.
pub(super) fn service_unavailable() -> Vec<u8> {
    error_response(503, "Service Unavailable", "The site is busy. Please try again in a moment.")
}

/// Returns the head of a health check with `Connection: close` added; none for any other request.
pub(super) fn health_check_head(head: &[u8]) -> Option<Vec<u8>> {
    let is_request_for = |path: &str| head.starts_with(format!("GET {path} HTTP/1.").as_bytes());
    if !HEALTH_CHECKS.iter().any(|path| is_request_for(path)) {
        return None;
    }
    // Bytes after the head are dropped.
    let end = head.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some([&head[..end], b"\r\nConnection: close\r\n\r\n"].concat())
}

/// Returns a complete error response, after which the connection is to be closed.
fn error_response(status: u16, reason: &str, message: &str) -> Vec<u8> {
    let retry = if status == 503 { "Retry-After: 5\r\n" } else { "" };
    let length = message.len();
    let common: String = COMMON_HEADERS.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n{retry}\
         Cache-Control: no-store\r\n{common}Content-Security-Policy: {FILE_POLICY}\r\nX-Request-Id: {id}\r\n\
         Connection: close\r\n\r\n{message}",
        id = new_request_id()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Request heads, most of them almost valid.
    fn heads() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            "(GET|POST|get|G\\x00T) (/|http://|//)[a-zA-Z0-9.:@\\[\\]?/ -]{0,30} HTTP/1.[0-9]"
                .prop_map(String::into_bytes),
            "(?i:host)( )?:( )?[a-z0-9.:@\\[\\]-]{0,20}".prop_map(String::into_bytes),
            vec(any::<u8>(), 0..40),
            Just(b"\r\n".to_vec()),
            Just(b"\n".to_vec()),
        ];
        vec(part, 0..12).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn properties_bytes_after_a_head_do_not_change_its_status(head in heads(), body in vec(any::<u8>(), 0..200)) {
            let status = HeadStatus::of(&head);
            if status != HeadStatus::Incomplete {
                prop_assert_eq!(HeadStatus::of(&[head, body].concat()), status);
            }
        }

        #[test]
        fn properties_absolute_addresses_must_name_the_host_of_the_header(host in "[a-z]{1,5}", header in "[a-z]{1,5}", path in "[a-z?/]{0,9}") {
            let head = format!("GET http://{host}/{path} HTTP/1.1\r\nHost: {header}\r\n\r\n");
            let expected = if host == header { HeadStatus::Complete } else { HeadStatus::HostMismatch };
            prop_assert_eq!(HeadStatus::of(head.as_bytes()), expected);
        }

        #[test]
        fn properties_bare_errors_are_found_in_any_bytes(bytes in heads()) {
            if let Some(start) = find_bare_error(&bytes) {
                prop_assert!(bytes[start..].starts_with(b"HTTP/1.1 4"));
            }
        }
    }

    #[test]
    fn head_ends_with_an_empty_line_and_is_limited_in_length() {
        let of = |text: &str| HeadStatus::of(text.as_bytes());
        for incomplete in
            ["", "\r\n\r\n", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r"]
        {
            assert_eq!(of(incomplete), HeadStatus::Incomplete, "{incomplete:?}");
        }
        for complete in
            ["GET / HTTP/1.1\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\nbody", "GET / HTTP/1.1\n\n"]
        {
            assert_eq!(of(complete), HeadStatus::Complete, "{complete:?}");
        }
        let headers = |length: usize| format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(length));
        assert_eq!(of(&headers(16_000)), HeadStatus::Complete);
        assert_eq!(of(&headers(17_000)), HeadStatus::TooLarge);
        assert_eq!(of(&headers(17_000)[..16_500]), HeadStatus::TooLarge, "before its end was received");
        assert_eq!(
            of(&format!("{}{}", headers(100), "b".repeat(20_000))),
            HeadStatus::Complete,
            "the body does not count"
        );
        assert_eq!(of(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(9_000))), HeadStatus::UriTooLong);
        assert_eq!(of(&"\r\n".repeat(9_000)), HeadStatus::TooLarge, "nothing but empty lines");
    }

    #[test]
    fn only_health_checks_are_recognised_and_they_close_the_connection() {
        let closing_head =
            health_check_head(b"GET /readyz HTTP/1.1\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.1\r\n\r\n");
        let expected = b"GET /readyz HTTP/1.1\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n";
        assert_eq!(closing_head.as_deref(), Some(&expected[..]));
        for other in
            ["GET / HTTP/1.1", "GET /readyz/../films HTTP/1.1", "POST /readyz HTTP/1.1", " GET /readyz HTTP/1.1"]
        {
            assert_eq!(health_check_head(format!("{other}\r\n\r\n").as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn absolute_address_of_another_host_is_rejected() {
        for (address, host, is_refused) in [
            ("/", "festival.example", false),
            ("/films?next=http://evil.example/", "festival.example", false),
            ("http://festival.example/", "Festival.example", false),
            ("http://festival.example:8000/a", "festival.example:8000", false),
            ("http://evil.example/", "festival.example", true),
            ("http://festival.example:8000", "festival.example", true),
            ("HTTPS://evil.example?", "festival.example", true),
        ] {
            let head = format!("GET {address} HTTP/1.1\r\nHost: {host}\r\n\r\n");
            assert_eq!(HeadStatus::of(head.as_bytes()) == HeadStatus::HostMismatch, is_refused, "{head}");
        }
    }
}
