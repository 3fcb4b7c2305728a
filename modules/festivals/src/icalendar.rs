//! Calendars as RFC 5545 writes them: lines of at most 75 bytes, CRLF, escaped text.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A line is folded before it grows past this many bytes, its CRLF not counted.
const LINE_BYTES: usize = 75;

/// A calendar in the making.
pub(crate) struct Calendar {
    text: String,
}

impl Calendar {
    /// An empty calendar that a program called `program` wrote.
    pub(crate) fn new(program: &str) -> Self {
        let mut calendar = Self { text: String::new() };
        calendar.line("BEGIN", "VCALENDAR");
        calendar.line("VERSION", "2.0");
        calendar.text("PRODID", &format!("-//{program}//Events//EN"));
        calendar.line("CALSCALE", "GREGORIAN");
        calendar
    }

    /// A property whose value is already as it has to be.
    pub(crate) fn line(&mut self, name: &str, value: &str) {
        let mut room = LINE_BYTES;
        for c in name.chars().chain([':']).chain(value.chars()) {
            if c.len_utf8() > room {
                self.text.push_str("\r\n ");
                room = LINE_BYTES - 1;
            }
            self.text.push(c);
            room -= c.len_utf8();
        }
        self.text.push_str("\r\n");
    }

    /// A property whose value people wrote.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.line(name, &escape(value));
    }

    /// A moment.
    pub(crate) fn moment(&mut self, name: &str, moment: Timestamp) {
        self.line(name, &moment.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string());
    }

    /// The calendar's text.
    pub(crate) fn finish(mut self) -> String {
        self.line("END", "VCALENDAR");
        self.text
    }
}

/// Text without what ends a value; control characters have no place in a calendar.
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
    fn long_lines_are_folded_between_letters_and_are_the_same_when_unfolded() {
        let title = "വെളിച്ചം, ചലച്ചിത്രമേള; \"night\" ".repeat(12);
        let mut calendar = Calendar::new("x");
        calendar.text("SUMMARY", &title);
        let text = calendar.finish();
        for line in text.split("\r\n") {
            assert!(line.len() <= LINE_BYTES && !line.contains('\n'), "{line}");
        }
        let unfolded = text.replace("\r\n ", "");
        assert!(unfolded.contains(&format!("SUMMARY:{}\r\n", title.replace(',', "\\,").replace(';', "\\;"))));
    }

    #[test]
    fn text_cannot_end_its_value() {
        assert_eq!(escape("a,b;c\\d\r\ne\rf\tg\u{7}"), "a\\,b\\;c\\\\d\\ne\\nf g");
    }
}
