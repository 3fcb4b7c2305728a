//! The first head of a connection, as far as the door looks at it: whether it is whole, how long, and for which host;
//! and what the door itself answers.

use festival_core::http::{ALWAYS, FILE_POLICY, new_request_id};

/// The longest head of a request, in bytes, and the longest line of it that names the address.
pub(super) const LARGEST_HEAD: usize = 16 * 1024;
const LONGEST_FIRST_LINE: usize = 8 * 1024;

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
    use super::*;

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
