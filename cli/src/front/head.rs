//! The first head of a connection, as far as the door looks at it: whether it is whole, and how long.

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
        } else if end.is_some() {
            Self::Whole
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
        }
    }
}

/// A whole answer, after which the connection is closed.
pub(super) fn refusal(status: u16, reason: &str, words: &str) -> Vec<u8> {
    let retry = if status == 503 { "Retry-After: 5\r\n" } else { "" };
    let length = words.len();
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n{retry}\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\nConnection: close\r\n\r\n{words}"
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
}
