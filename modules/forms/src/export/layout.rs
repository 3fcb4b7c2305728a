//! The columns of an export: for people with labels, for programs with stored values.

use festival_core::checks::DAMAGED;
use festival_core::entity::{Datum, Field, Kind as FieldKind};
use festival_core::export::{Cell, Column, Format};
use festival_core::scanner::NOT_SCANNED;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::amount::{Amount, Difference};
use crate::description::short_label;
use crate::findings::Finding;
use crate::submissions::{PAYMENTS, State, Submission, SubmissionKind, has_flag, label_of};

/// The columns of an export and the sources of their cells.
pub(crate) struct Layout {
    pub(crate) columns: Vec<Column>,
    sources: Vec<Source>,
    zone: TimeZone,
}

/// Source of a cell.
#[derive(Clone, Copy)]
enum Source {
    /// The stored value of a column.
    Stored(&'static str),
    /// The time in a column, in the festival's time zone.
    Time(&'static str),
    /// The value of a field as it was sent; the label of a choice.
    Field(&'static Field),
    /// The value of a field as it was sent, if its column stores the parsed value.
    Sent(&'static Field),
    /// The parsed value of a field, if its column stores the value as it was sent.
    Parsed(&'static Field),
    /// The reasons why values are unusual.
    Reasons,
    /// The label of a status.
    State(&'static str, &'static [State]),
    Flags,
    /// What is due, in each currency in which it may be paid.
    Due,
    /// The amount on the proof as it is read.
    AmountRead,
    /// How that amount differs from what is due.
    AmountDiffers,
    Award,
    /// Where the award was found.
    AwardOrigin,
    /// The path in an archive of the file of a field.
    FilePath(&'static Field),
    /// The size of the file of a field, in bytes.
    FileSize(&'static Field),
}

impl Layout {
    /// The layout of a format: JSON is read by programs, the others by people.
    pub(crate) fn of(kind: &SubmissionKind, format: Format, zone: &TimeZone) -> Self {
        match format {
            Format::Json => Self::for_programs(kind, zone),
            Format::Csv | Format::Xlsx | Format::Ods => Self::for_people(kind, zone),
        }
    }

    /// For people: labels as headers and as values.
    fn for_people(kind: &SubmissionKind, zone: &TimeZone) -> Self {
        let mut layout = Self::new(zone);
        let zone_name = zone.iana_name().unwrap_or("festival time");
        layout.push(Column::new("reference", "Reference").width(14), Source::Stored("reference"));
        let submitted = Column::new("created_at", format!("Submitted at ({zone_name})"));
        layout.push(submitted.width(20), Source::Time("created_at"));
        layout.push(Column::new("status", "Status").width(12), Source::State("status", kind.states));
        layout.push(Column::new("flags", "Flags").width(24), Source::Flags);
        if kind.has_award() {
            layout.push(Column::new("award_category", "Award").width(14), Source::Award);
            layout.push(Column::new("category_source", "Award found by").width(18), Source::AwardOrigin);
        }
        for field in kind.entity.columns() {
            layout.push(Column::new(field.name, field.label).width(width(field)), Source::Field(field));
            if let Some(suffix) = parsed_label(field) {
                let column = Column::new(format!("{}_read", field.name), format!("{}, {suffix}", field.label));
                layout.push(column.width(width(field)), Source::Parsed(field));
            }
        }
        layout.push(Column::new("findings", "Unusual entries").width(40), Source::Reasons);
        if kind.own_columns.contains(&"fee_inr") {
            layout.push(Column::new("fee_inr", "Fee on that day (rupees)").width(12), Source::Stored("fee_inr"));
        }
        if kind.own_columns.contains(&"fee_usd") {
            layout.push(Column::new("due", "Due").width(14), Source::Due);
        }
        if kind.has_payment() {
            layout.push(Column::new("payment", "Payment").width(12), Source::State("payment", PAYMENTS));
            layout.push(Column::new("payment_code", "Payment code").width(12), Source::Stored("payment_code"));
            layout.push(Column::new("payment_utr", "UTR from the form").width(18), Source::Stored("payment_utr"));
            layout.push(Column::new("payment_reason", "Why it was rejected"), Source::Stored("payment_reason"));
            layout.push(
                Column::new("payment_transaction", "Transaction on the proof"),
                Source::Stored("payment_transaction"),
            );
            layout.push(Column::new("payment_amount", "Amount on the proof"), Source::Stored("payment_amount"));
            layout.push(Column::new("amount_read", "Amount as read").width(14), Source::AmountRead);
            layout.push(Column::new("amount_differs", "Amount differs").width(24), Source::AmountDiffers);
        }
        for field in file_fields(kind) {
            let label = short_label(field);
            layout.push(Column::new(field.name, label).width(30), Source::FilePath(field));
            let size = Column::new(format!("{}_size", field.name), format!("{label}, size in bytes"));
            layout.push(size.width(12), Source::FileSize(field));
        }
        layout.push(Column::new("consent_notice", "Agreed to the notice"), Source::Stored("consent_notice"));
        layout.push(Column::new("consented_at", format!("Agreed at ({zone_name})")), Source::Time("consented_at"));
        layout
    }

    /// For programs: every column under its own name with its stored value.
    fn for_programs(kind: &SubmissionKind, zone: &TimeZone) -> Self {
        let mut layout = Self::new(zone);
        for name in kind.columns() {
            let source = if name == "findings" { Source::Reasons } else { Source::Stored(name) };
            layout.push(Column::new(name, name), source);
        }
        for field in kind.entity.columns() {
            let column = |suffix: &str| {
                let name = format!("{}_{suffix}", field.name);
                Column::new(name.clone(), name)
            };
            if parsed_label(field).is_some() {
                layout.push(column("read"), Source::Parsed(field));
            } else if is_stored_parsed(field) {
                layout.push(column("sent"), Source::Sent(field));
            }
        }
        for field in file_fields(kind) {
            layout.push(Column::new(field.name, field.name), Source::FilePath(field));
            let size = format!("{}_size", field.name);
            layout.push(Column::new(size.clone(), size), Source::FileSize(field));
        }
        layout
    }

    fn new(zone: &TimeZone) -> Self {
        Self { columns: Vec::new(), sources: Vec::new(), zone: zone.clone() }
    }

    fn push(&mut self, column: Column, source: Source) {
        self.columns.push(column);
        self.sources.push(source);
    }

    /// Returns the cells of a submission.
    pub(crate) fn row(&self, submission: &Submission) -> Vec<Cell> {
        self.sources.iter().map(|source| self.cell(*source, submission)).collect()
    }

    fn cell(&self, source: Source, submission: &Submission) -> Cell {
        match source {
            Source::Stored(name) => stored(submission.value(name)),
            Source::Time(name) => match local_time(submission.text(name), &self.zone) {
                Some(time) => Cell::DateTime(time),
                None => stored(submission.value(name)),
            },
            Source::Field(field) => match submission.finding(field).and_then(|finding| finding.sent) {
                Some(sent) => Cell::text(sent),
                None => stored(&with_label(field, submission.value(field.name))),
            },
            Source::Sent(field) => match submission.finding(field).and_then(|finding| finding.sent) {
                Some(sent) => Cell::text(sent),
                None => stored(submission.value(field.name)),
            },
            Source::Parsed(field) => match submission.finding(field) {
                Some(Finding { read: Some(read), .. }) => Cell::text(read),
                // Without a finding the stored value is the parsed one.
                None => stored(submission.value(field.name)),
                // It could not be parsed.
                Some(_) => Cell::Empty,
            },
            Source::Reasons => Cell::text(reasons(submission)),
            Source::Flags => Cell::text(flags(submission).join("; ")),
            Source::State(name, states) => Cell::text(label_of(states, submission.text(name))),
            Source::Due => Cell::text(submission.due().text()),
            Source::AmountRead => Amount::read(submission.text("payment_amount")).map(Amount::text).into(),
            Source::AmountDiffers => submission.amount_difference().map(Difference::text).into(),
            Source::Award => Cell::text(capitalised(submission.text("award_category"))),
            Source::AwardOrigin => Cell::text(award_source_label(submission.text("category_source"))),
            Source::FilePath(field) => submission.file(field).map(|file| file.archive_path.clone()).into(),
            Source::FileSize(field) => submission.file(field).map(|file| file.size).into(),
        }
    }
}

fn file_fields(kind: &SubmissionKind) -> impl Iterator<Item = &'static Field> {
    kind.entity.fields.iter().filter(|field| !field.has_column())
}

fn stored(datum: &Datum) -> Cell {
    match datum {
        Datum::Null => Cell::Empty,
        Datum::Text(text) | Datum::Reference(text) => Cell::text(text),
        Datum::Integer(number) => Cell::Number(*number),
    }
}

/// "duration minutes: “97 min” is read as 97"
fn reasons(submission: &Submission) -> String {
    let sentence = |finding: Finding| Some(format!("{}: {}", finding.field.replace('_', " "), finding.reason?));
    submission.findings().into_iter().filter_map(sentence).collect::<Vec<_>>().join("; ")
}

/// Returns how the column with the parsed value of a field is labelled, if there is one.
fn parsed_label(field: &Field) -> Option<&'static str> {
    match field.kind {
        FieldKind::Phone => Some("in international form"),
        FieldKind::Link => Some("the address"),
        _ => None,
    }
}

/// Whether the column of a field stores the parsed value; if another was sent, a finding has it.
fn is_stored_parsed(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Integer { .. } | FieldKind::Year | FieldKind::Choice(_))
}

/// Converts a stored timestamp to the local time in `zone`, to the second.
pub(super) fn local_time(stored: &str, zone: &TimeZone) -> Option<DateTime> {
    let timestamp: Timestamp = stored.parse().ok()?;
    timestamp.to_zoned(zone.clone()).datetime().with().subsec_nanosecond(0).build().ok()
}

/// Replaces the key of a choice by its label.
fn with_label(field: &Field, datum: &Datum) -> Datum {
    match (field.kind, datum) {
        (FieldKind::Choice(choices), Datum::Text(key)) => {
            let label = choices.iter().find(|(value, _)| value == key).map_or(key.as_str(), |(_, label)| label);
            Datum::Text(label.to_owned())
        }
        _ => datum.clone(),
    }
}

/// Returns the flags of a submission as short labels, such as "late".
pub(crate) fn flags(submission: &Submission) -> Vec<String> {
    let mut flags = Vec::new();
    for (name, label) in
        [("is_quarantined", "quarantined"), ("is_late", "late"), ("is_possible_duplicate", "possible duplicate")]
    {
        if submission.flag(name) {
            flags.push(label.to_owned());
        }
    }
    if submission.is_without_consent() {
        flags.push("no consent".to_owned());
    }
    if submission.is_declared_no() {
        flags.push("declared No".to_owned());
    }
    let unusual: Vec<String> =
        submission.text("flagged").split_whitespace().map(|name| name.replace('_', " ")).collect();
    if !unusual.is_empty() {
        flags.push(format!("unusual: {}", unusual.join(", ")));
    }
    let over_long: Vec<String> = submission.over_long().map(|field| field.name.replace('_', " ")).collect();
    if !over_long.is_empty() {
        flags.push(format!("over-long: {}", over_long.join(", ")));
    }
    for (flag, label) in FILE_FLAGS {
        let files = submission.files().iter().filter(|file| has_flag(&file.flags, flag));
        let files: Vec<String> = files.map(|file| file.field.replace('_', " ")).collect();
        if !files.is_empty() {
            flags.push(format!("{label}: {}", files.join(", ")));
        }
    }
    flags
}

/// Flags of files to know about before opening them, and their labels in exports.
const FILE_FLAGS: [(&str, &str); 4] = [
    (DAMAGED, "damaged"),
    ("active_content", "starts something when opened"),
    ("encrypted", "locked"),
    (NOT_SCANNED, "not scanned for viruses"),
];

/// Returns the label of where the award of a film was found.
fn award_source_label(source: &str) -> &str {
    match source {
        "field" => "the form",
        "address" => "the address",
        "query" => "the address's query",
        "referer" => "the page before",
        "answer" => "an answer in it",
        "desk" => "the desk",
        "none" => "not found",
        other => other,
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Width of the column of a field, in characters.
fn width(field: &Field) -> u16 {
    match field.kind {
        FieldKind::Integer { .. } | FieldKind::Year | FieldKind::Flag => 10,
        FieldKind::Choice(_) | FieldKind::Phone => 18,
        FieldKind::Lines { .. } | FieldKind::Html => 50,
        FieldKind::Url | FieldKind::Link => 36,
        _ => 26,
    }
}
