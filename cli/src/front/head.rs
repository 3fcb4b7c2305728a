//! The first head of a connection, as far as the door looks at it: whether it is whole, how long, and for which host;
//! and what the door itself answers.

use festival_core::http::{ALWAYS, FILE_POLICY, new_request_id};

/// The longest head of a request, in bytes, and the longest line of it that names the address.
pub(super) const LARGEST_HEAD: usize = 16 * 1024;
const LONGEST_FIRST_LINE: usize = 8 * 1024;
/// The addresses that probes ask.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// What the beginning of a connection is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// A whole head, perhaps with what follows it.
    Whole,
    /// The head goes on.
    Half,
    /// The address is too long (414).
    LongAddress,
    /// The head is too long (431).
    LongHead,
    /// The address names another host than the header (400). Rocket reads the header alone.
    TwoHosts,
}

impl Beginning {
    pub(super) fn of(bytes: &[u8]) -> Self {
        // Empty lines before a request are none of it.
        let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(bytes.len());
        let head = &bytes[start..];
        let first_line = head.iter().position(|byte| *byte == b'\n').unwrap_or(head.len());
        let ends = |two: &[u8]| matches!(two, [b'\n', b'\n', ..] | [b'\n', b'\r', b'\n']);
        let end = (0..head.len()).find(|at| ends(&head[*at..head.len().min(at + 3)]));
        if first_line > LONGEST_FIRST_LINE {
            Self::LongAddress
        } else if start + end.unwrap_or(head.len()) > LARGEST_HEAD {
            Self::LongHead
        } else if let Some(end) = end {
            if names_two_hosts(&String::from_utf8_lossy(&head[..end])) { Self::TwoHosts } else { Self::Whole }
        } else {
            Self::Half
        }
    }

    /// What is answered instead of passing it on.
    pub(super) fn refusal(&self) -> Option<Vec<u8>> {
        match self {
            Self::Whole | Self::Half => None,
            Self::LongAddress => Some(refusal(414, "URI Too Long", "The address is too long.")),
            Self::LongHead => Some(refusal(431, "Request Header Fields Too Large", "The headers are too long.")),
            Self::TwoHosts => Some(refusal(400, "Bad Request", "The request names two hosts.")),
        }
    }
}

/// Whether the address of the first line is a whole one, `http://host/path`, of another host than the header's.
fn names_two_hosts(head: &str) -> bool {
    let mut lines = head.lines();
    let address = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let Some((_, rest)) = address.split_once("://").filter(|_| !address.starts_with('/')) else { return false };
    let named = rest.split(['/', '?']).next().unwrap_or_default();
    let mut hosts = lines.filter_map(|line| line.split_once(':')).filter(|(name, _)| name.eq_ignore_ascii_case("host"));
    !hosts.all(|(_, host)| host.trim().eq_ignore_ascii_case(named))
}

/// Where in `answer` the one begins that Rocket's server gives, before it closes, to what is no request at all: a head
/// without a body and without what every answer of ours carries.
pub(super) fn bare_answer(answer: &[u8]) -> Option<usize> {
    const BEGINNING: &[u8] = b"HTTP/1.1 4";
    let last = answer.strip_suffix(b"\r\n\r\n")?;
    let start = last.windows(BEGINNING.len()).rposition(|window| window == BEGINNING)?;
    let head = String::from_utf8_lossy(&last[start..]).to_ascii_lowercase();
    let is_bare = head.contains("content-length: 0\r\n") && !head.contains("x-request-id:");
    is_bare.then_some(start)
}

/// What is answered to what is no request.
pub(super) fn not_understood() -> Vec<u8> {
    refusal(400, "Bad Request", "The request could not be understood.")
}

/// What is answered where there is no room.
pub(super) fn busy() -> Vec<u8> {
    refusal(503, "Service Unavailable", "The site is busy. Please try again in a moment.")
}

/// The whole head of a probe that asks whether the site is well, told that its connection ends with the answer; `None`
/// for any other.
pub(super) fn probe(head: &[u8]) -> Option<Vec<u8>> {
    let asks = |path: &str| head.starts_with(format!("GET {path} HTTP/1.").as_bytes());
    if !PROBES.iter().any(|path| asks(path)) {
        return None;
    }
    // Nothing that follows the head is passed on.
    let end = head.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some([&head[..end], b"\r\nConnection: close\r\n\r\n"].concat())
}

/// A whole answer, after which the connection is closed.
pub(super) fn refusal(status: u16, reason: &str, words: &str) -> Vec<u8> {
    let retry = if status == 503 { "Retry-After: 5\r\n" } else { "" };
    let length = words.len();
    let safety: String = ALWAYS.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n{retry}\
         Cache-Control: no-store\r\n{safety}Content-Security-Policy: {FILE_POLICY}\r\nX-Request-Id: {id}\r\n\
         Connection: close\r\n\r\n{words}",
        id = new_request_id()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Heads of requests, most of them nearly right.
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
        fn properties_what_follows_a_whole_head_changes_nothing(head in heads(), body in vec(any::<u8>(), 0..200)) {
            let beginning = Beginning::of(&head);
            if beginning != Beginning::Half {
                prop_assert_eq!(Beginning::of(&[head, body].concat()), beginning);
            }
        }

        #[test]
        fn properties_one_host_is_meant(named in "[a-z]{1,5}", header in "[a-z]{1,5}", path in "[a-z?/]{0,9}") {
            let head = format!("GET http://{named}/{path} HTTP/1.1\r\nHost: {header}\r\n\r\n");
            let meant = if named == header { Beginning::Whole } else { Beginning::TwoHosts };
            prop_assert_eq!(Beginning::of(head.as_bytes()), meant);
        }

        #[test]
        fn properties_answers_of_any_bytes_are_looked_at(answer in heads()) {
            if let Some(start) = bare_answer(&answer) {
                prop_assert!(answer[start..].starts_with(b"HTTP/1.1 4"));
            }
        }
    }

    #[test]
    fn a_head_ends_with_an_empty_line_and_has_a_length() {
        let of = |text: &str| Beginning::of(text.as_bytes());
        for half in
            ["", "\r\n\r\n", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r"]
        {
            assert_eq!(of(half), Beginning::Half, "{half:?}");
        }
        for whole in ["GET / HTTP/1.1\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\nbody", "GET / HTTP/1.1\n\n"] {
            assert_eq!(of(whole), Beginning::Whole, "{whole:?}");
        }
        let headers = |length: usize| format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(length));
        assert_eq!(of(&headers(16_000)), Beginning::Whole);
        assert_eq!(of(&headers(17_000)), Beginning::LongHead);
        assert_eq!(of(&headers(17_000)[..16_500]), Beginning::LongHead, "before its end is seen");
        assert_eq!(of(&format!("{}{}", headers(100), "b".repeat(20_000))), Beginning::Whole, "a body is no head");
        assert_eq!(of(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(9_000))), Beginning::LongAddress);
        assert_eq!(of(&"\r\n".repeat(9_000)), Beginning::LongHead, "nothing but empty lines");
    }

    #[test]
    fn only_a_probe_is_one_and_it_ends_its_connection() {
        let probed = probe(b"GET /readyz HTTP/1.1\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.1\r\n\r\n");
        let expected = b"GET /readyz HTTP/1.1\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n";
        assert_eq!(probed.as_deref(), Some(&expected[..]));
        for other in
            ["GET / HTTP/1.1", "GET /readyz/../films HTTP/1.1", "POST /readyz HTTP/1.1", " GET /readyz HTTP/1.1"]
        {
            assert_eq!(probe(format!("{other}\r\n\r\n").as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn a_whole_address_is_of_the_host_that_the_header_names() {
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
            assert_eq!(Beginning::of(head.as_bytes()) == Beginning::TwoHosts, is_refused, "{head}");
        }
    }
}
