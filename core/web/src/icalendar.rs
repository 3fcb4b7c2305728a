//! Writes iCalendar files (RFC 5545): lines of at most 75 bytes, CRLF, escaped text.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Bytes of a line at most, without its CRLF; longer lines are folded.
const MAX_LINE_BYTES: usize = 75;

/// Builds the text of a calendar.
#[derive(Debug)]
pub struct Calendar {
    text: String,
}

impl Calendar {
    /// Begins a calendar written by `program`.
    #[must_use]
    pub fn new(program: &str) -> Self {
        let mut calendar = Self { text: String::new() };
        calendar.line("BEGIN", "VCALENDAR");
        calendar.line("VERSION", "2.0");
        calendar.text("PRODID", &format!("-//{program}//Events//EN"));
        calendar.line("CALSCALE", "GREGORIAN");
        calendar
    }

    /// Adds a property whose value needs no escaping.
    pub fn line(&mut self, name: &str, value: &str) {
        let mut remaining = MAX_LINE_BYTES;
        for c in name.chars().chain([':']).chain(value.chars()) {
            if c.len_utf8() > remaining {
                self.text.push_str("\r\n ");
                remaining = MAX_LINE_BYTES - 1;
            }
            self.text.push(c);
            remaining -= c.len_utf8();
        }
        self.text.push_str("\r\n");
    }

    /// Adds a property with a text, which is escaped.
    pub fn text(&mut self, name: &str, value: &str) {
        self.line(name, &escape(value));
    }

    /// Adds a property with a time, in UTC.
    pub fn time(&mut self, name: &str, time: Timestamp) {
        self.line(name, &time.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string());
    }

    /// Ends the calendar and returns its text.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.line("END", "VCALENDAR");
        self.text
    }
}

/// Escapes the characters that separate or end values, and removes control characters.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").replace('\r', "\n").chars() {
        match c {
            '\\' | ';' | ',' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push(' '),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_characters_and_unfold_to_the_same_text() {
        let title = "വെളിച്ചം, ചലച്ചിത്രമേള; \"night\" ".repeat(12);
        let mut calendar = Calendar::new("x");
        calendar.text("SUMMARY", &title);
        let text = calendar.finish();
        for line in text.split("\r\n") {
            assert!(line.len() <= MAX_LINE_BYTES && !line.contains('\n'), "{line}");
        }
        let unfolded = text.replace("\r\n ", "");
        assert!(unfolded.contains(&format!("SUMMARY:{}\r\n", title.replace(',', "\\,").replace(';', "\\;"))));
    }

    #[test]
    fn text_values_are_escaped() {
        assert_eq!(escape("a,b;c\\d\r\ne\rf\tg\u{7}"), "a\\,b\\;c\\\\d\\ne\\nf g");
    }
}
