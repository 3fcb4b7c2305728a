//! Texts of strangers in mails. Anybody can type another person's address into a form, so a mail to it must not be a way to
//! send that person a link.

/// What stands in the place of a link.
const REMOVED: &str = "(link not repeated)";

/// Endings of names of files, which are no domains.
const FILE_ENDINGS: [&str; 8] = ["bmp", "gif", "jpeg", "jpg", "pdf", "png", "tiff", "webp"];

/// Prefixes that mail programs make links of without `//`.
const SCHEMES: [&str; 8] = ["www.", "mailto:", "tel:", "sms:", "callto:", "skype:", "file:", "\\\\"];

/// Returns `text` without anything that a mail program makes a link of: addresses of sites, domains, e-mail addresses.
/// Dots in names ("K.G.George") get a space after them, as mail programs take such names for domains, too.
pub(crate) fn without_links(text: &str) -> String {
    text.split_inclusive(char::is_whitespace)
        .map(|word| {
            let bare = word.trim_end();
            format!("{}{}", without_link(bare), &word[bare.len()..])
        })
        .collect()
}

/// The same for a word without spaces.
fn without_link(word: &str) -> String {
    let lower = word.to_lowercase();
    let start = lower.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '\\');
    let is_address = start.trim_end_matches(|c: char| !c.is_alphanumeric()).contains('@');
    if is_address || lower.contains("://") || SCHEMES.iter().any(|scheme| start.starts_with(scheme)) {
        return REMOVED.to_owned();
    }
    // Letters of other scripts have signs beside them that are no letters.
    let is_of_name = |c: &char| !c.is_ascii() || c.is_ascii_alphanumeric() || *c == '-';
    let mut safe = String::with_capacity(word.len());
    // Each label with the dot after it.
    let mut labels = word.split_inclusive(is_dot).peekable();
    let mut before = 0;
    while let Some(label) = labels.next() {
        let name: String = label.trim_end_matches(is_dot).chars().take_while(is_of_name).collect();
        let is_file = labels.peek().is_none() && FILE_ENDINGS.contains(&name.to_ascii_lowercase().as_str());
        if before > 0 && !is_file && name.starts_with(char::is_alphabetic) && name.chars().count() > 1 {
            if before > 1 && name.starts_with(char::is_lowercase) {
                return REMOVED.to_owned();
            }
            safe.push(' ');
        }
        before = label.trim_end_matches(is_dot).chars().rev().take_while(is_of_name).count();
        safe.push_str(label);
    }
    safe
}

/// Whether `c` separates the labels of a domain.
fn is_dot(c: char) -> bool {
    matches!(c, '.' | '\u{2024}' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

#[cfg(test)]
mod tests {
    use super::without_links;

    #[test]
    fn links_domains_and_addresses_are_removed() {
        for link in [
            "https://evil.example/a?b=c",
            "HTTP://EVIL.EXAMPLE",
            "(see evil.example/win)",
            "evil.com",
            "evil.co.in",
            "Evil.com,",
            "www.Evil.Com",
            "mailto:a",
            "tel:+911234567",
            "a@evil.example",
            "sub.evil.example:8080",
            "evil\u{3002}com",
            "xn--evl-abc.com",
            "\\\\evil\\share",
            "photo.png.evil.com",
            "trailer.zip",
            "ജോർജ്.com",
        ] {
            let safe = without_links(&format!("Win {link} now"));
            assert!(safe.contains("(link not repeated)") && !safe.to_lowercase().contains("evil."), "{link}: {safe}");
        }
    }

    #[test]
    fn no_name_with_a_dot_stays_a_domain() {
        for (text, safe) in [
            ("K.G.George", "K.G. George"),
            ("St.Thomas", "St. Thomas"),
            ("കെ.ജി.ജോർജ്ജ്", "കെ. ജി. ജോർജ്ജ്"),
            ("Evil.Com", "Evil. Com"),
            ("EVIL.COM", "EVIL. COM"),
            ("t.co", "t. co"),
            ("B.Tech", "B. Tech"),
        ] {
            assert_eq!(without_links(text), safe);
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "",
            "Colour, 1.85:1, 5.1",
            "M.T. and P.K.",
            "He came.  She left...\nThe end.",
            "Dr. Anu Das, e.g. at 6 p.m.",
            "film_poster.png, rules.pdf",
            "Rs. 5,000 by GPay: UTR 512345678901",
            "12/09/2025",
        ] {
            assert_eq!(without_links(text), text);
        }
    }
}
