//! The columns of an export: for people in words, for programs as it is kept.

use festival_core::entity::{Datum, Field, Kind as FieldKind};
use festival_core::export::{Cell, Column};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::finding::Finding;
use crate::submissions::{Kind, PAYMENTS, State, Submission, label_of};

/// The columns, and where each cell comes from.
pub(crate) struct Layout {
    pub(crate) columns: Vec<Column>,
    sources: Vec<Source>,
    zone: TimeZone,
}

/// Where a cell comes from.
#[derive(Clone, Copy)]
enum Source {
    /// A column of the table as it is.
    Stored(&'static str),
    /// A moment, on the festival's clocks.
    Moment(&'static str),
    /// What was sent in a field, in words where it is one of a few.
    Field(&'static Field),
    /// What was sent in a field, where its column holds what that was read as.
    Sent(&'static Field),
    /// What the value of a field was read as, where its column holds what was sent.
    Read(&'static Field),
    /// What is unusual about single values, in sentences.
    Reasons,
    /// A state, in words.
    State(&'static str, &'static [State]),
    /// What there is to know before reading on.
    Flags,
    Award,
    AwardFound,
    /// The path of a field's file in an archive.
    FilePath(&'static Field),
    /// The size of a field's file.
    FileSize(&'static Field),
}

impl Layout {
    /// For people: labels as headers, words as values.
    pub(crate) fn for_people(kind: &Kind, zone: &TimeZone) -> Self {
        let mut layout = Self::new(zone);
        let on_our_clocks = zone.iana_name().unwrap_or("festival time");
        layout.push(Column::new("reference", "Reference").width(14), Source::Stored("reference"));
        let submitted = Column::new("created_at", format!("Submitted at ({on_our_clocks})"));
        layout.push(submitted.width(20), Source::Moment("created_at"));
        layout.push(Column::new("status", "Status").width(12), Source::State("status", kind.states));
        layout.push(Column::new("flags", "Flags").width(24), Source::Flags);
        if kind.has_award() {
            layout.push(Column::new("award_category", "Award").width(14), Source::Award);
            layout.push(Column::new("category_source", "Award found by").width(18), Source::AwardFound);
        }
        for field in kind.entity.columns() {
            layout.push(Column::new(field.name, field.label).width(width(field)), Source::Field(field));
            if let Some(read) = reading(field) {
                let column = Column::new(format!("{}_read", field.name), format!("{}, {read}", field.label));
                layout.push(column.width(width(field)), Source::Read(field));
            }
        }
        layout.push(Column::new("findings", "Unusual entries").width(40), Source::Reasons);
        if kind.own_columns.contains(&"fee_inr") {
            layout.push(Column::new("fee_inr", "Fee on that day (rupees)").width(12), Source::Stored("fee_inr"));
        }
        if kind.has_payment() {
            layout.push(Column::new("payment", "Payment").width(12), Source::State("payment", PAYMENTS));
            layout.push(Column::new("payment_reason", "Why it was rejected"), Source::Stored("payment_reason"));
            layout.push(
                Column::new("payment_transaction", "Transaction on the proof"),
                Source::Stored("payment_transaction"),
            );
            layout.push(Column::new("payment_amount", "Amount on the proof"), Source::Stored("payment_amount"));
        }
        for field in files(kind) {
            // What stands in brackets tells the sender what may be sent.
            let label = field.label.split(" (").next().unwrap_or(field.label);
            layout.push(Column::new(field.name, label).width(30), Source::FilePath(field));
            let size = Column::new(format!("{}_size", field.name), format!("{label}, size in bytes"));
            layout.push(size.width(12), Source::FileSize(field));
        }
        layout.push(Column::new("consent_notice", "Agreed to the notice"), Source::Stored("consent_notice"));
        layout
            .push(Column::new("consented_at", format!("Agreed at ({on_our_clocks})")), Source::Moment("consented_at"));
        layout
    }

    /// For programs: everything under its own name and as it is kept.
    pub(crate) fn for_programs(kind: &Kind, zone: &TimeZone) -> Self {
        let mut layout = Self::new(zone);
        for name in kind.columns() {
            let source = if name == "findings" { Source::Reasons } else { Source::Stored(name) };
            layout.push(Column::new(name, name), source);
        }
        for field in kind.entity.columns() {
            let column = |what: &str| {
                let name = format!("{}_{what}", field.name);
                Column::new(name.clone(), name)
            };
            if reading(field).is_some() {
                layout.push(column("read"), Source::Read(field));
            } else if is_stored_as_read(field) {
                layout.push(column("sent"), Source::Sent(field));
            }
        }
        for field in files(kind) {
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

    /// The cells of one submission.
    pub(crate) fn row(&self, submission: &Submission<'_>) -> Vec<Cell> {
        self.sources.iter().map(|source| self.cell(*source, submission)).collect()
    }

    fn cell(&self, source: Source, submission: &Submission<'_>) -> Cell {
        match source {
            Source::Stored(name) => stored(submission.value(name)),
            Source::Moment(name) => match on_clocks(submission.text(name), &self.zone) {
                Some(moment) => Cell::DateTime(moment),
                None => stored(submission.value(name)),
            },
            Source::Field(field) => match finding(submission, field).and_then(|finding| finding.sent) {
                Some(sent) => Cell::text(sent),
                None => stored(&in_words(field, submission.value(field.name))),
            },
            Source::Sent(field) => match finding(submission, field).and_then(|finding| finding.sent) {
                Some(sent) => Cell::text(sent),
                None => stored(submission.value(field.name)),
            },
            Source::Read(field) => match finding(submission, field) {
                Some(Finding { read: Some(read), .. }) => Cell::text(read),
                // Nothing was to be noted: it is what it should be; else it could not be read.
                None => stored(submission.value(field.name)),
                Some(_) => Cell::Empty,
            },
            Source::Reasons => Cell::text(reasons(submission)),
            Source::Flags => Cell::text(flags(submission).join("; ")),
            Source::State(name, states) => Cell::text(label_of(states, submission.text(name))),
            Source::Award => Cell::text(capitalised(submission.text("award_category"))),
            Source::AwardFound => Cell::text(found(submission.text("category_source"))),
            Source::FilePath(field) => submission.file(field).map(|file| file.path.clone()).into(),
            Source::FileSize(field) => submission.file(field).map(|file| file.size).into(),
        }
    }
}

fn files(kind: &Kind) -> impl Iterator<Item = &'static Field> {
    kind.entity.fields.iter().filter(|field| !field.has_column())
}

fn stored(datum: &Datum) -> Cell {
    match datum {
        Datum::Null => Cell::Empty,
        Datum::Text(text) | Datum::Reference(text) => Cell::text(text),
        Datum::Integer(number) => Cell::Number(*number),
    }
}

fn finding(submission: &Submission<'_>, field: &Field) -> Option<Finding> {
    submission.findings().into_iter().find(|finding| finding.field == field.name)
}

/// "duration minutes: “97 min” is read as 97"
fn reasons(submission: &Submission<'_>) -> String {
    let said = |finding: Finding| Some(format!("{}: {}", finding.field.replace('_', " "), finding.reason?));
    submission.findings().into_iter().filter_map(said).collect::<Vec<_>>().join("; ")
}

/// What stands in a column beside the value as it was sent, where there is one.
fn reading(field: &Field) -> Option<&'static str> {
    match field.kind {
        FieldKind::Phone => Some("in international form"),
        FieldKind::Link => Some("the address"),
        _ => None,
    }
}

/// Whether the column of a field holds what was read; what was sent is then a finding, where it differs.
fn is_stored_as_read(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Integer { .. } | FieldKind::Year | FieldKind::Choice(_))
}

/// A stored moment on the clocks of `zone`, to the second.
pub(crate) fn on_clocks(stored: &str, zone: &TimeZone) -> Option<DateTime> {
    let moment: Timestamp = stored.parse().ok()?;
    moment.to_zoned(zone.clone()).datetime().with().subsec_nanosecond(0).build().ok()
}

/// What people read where what is kept is a key.
fn in_words(field: &Field, datum: &Datum) -> Datum {
    match (field.kind, datum) {
        (FieldKind::Choice(choices), Datum::Text(key)) => {
            let label = choices.iter().find(|(value, _)| value == key).map_or(key.as_str(), |(_, label)| label);
            Datum::Text(label.to_owned())
        }
        _ => datum.clone(),
    }
}

/// What there is to know of a submission before reading on, in short.
pub(crate) fn flags(submission: &Submission<'_>) -> Vec<String> {
    let mut flags = Vec::new();
    for (name, words) in
        [("is_quarantined", "quarantined"), ("is_late", "late"), ("is_possible_duplicate", "possible duplicate")]
    {
        if submission.flag(name) {
            flags.push(words.to_owned());
        }
    }
    if is_without_consent(submission) {
        flags.push("no consent".to_owned());
    }
    // "No" that was sent as another value.
    let declared = submission.text("declared_feature_label");
    if declared == "No" && submission.text("is_first_or_second_feature") != declared {
        flags.push("declared No".to_owned());
    }
    let unusual: Vec<String> =
        submission.text("flagged").split_whitespace().map(|name| name.replace('_', " ")).collect();
    if !unusual.is_empty() {
        flags.push(format!("unusual: {}", unusual.join(", ")));
    }
    let over_long: Vec<String> =
        submission.text("over_long").split_whitespace().map(|name| name.replace('_', " ")).collect();
    if !over_long.is_empty() {
        flags.push(format!("over-long: {}", over_long.join(", ")));
    }
    flags
}

/// Whether its sender did not agree to the notice on personal data; of whoever was erased nothing is known any more.
pub(crate) fn is_without_consent(submission: &Submission<'_>) -> bool {
    submission.text("consented_at").is_empty() && submission.text("status") != "erased"
}

/// How the award of a film was found, in words.
fn found(source: &str) -> &str {
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

/// How wide a field's column is, in characters.
fn width(field: &Field) -> u16 {
    match field.kind {
        FieldKind::Integer { .. } | FieldKind::Year | FieldKind::Flag => 10,
        FieldKind::Choice(_) | FieldKind::Phone => 18,
        FieldKind::Lines { .. } | FieldKind::Html => 50,
        FieldKind::Url | FieldKind::Link => 36,
        _ => 26,
    }
}
