//! The columns of an export: for people with labels, for programs with stored values.

use std::io::{Seek, Write};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::amount::{Amount, Difference};
use crate::description::short_label;
use crate::findings::Finding;
use crate::submissions::{PAYMENTS, State, Submission, SubmissionKind, has_flag, label_of};
use festival_core::Result;
use festival_core::admin::capitalized;
use festival_core::admin::privacy::{ArchivedFile, PrivateArchive};
use festival_core::checks::DAMAGED;
use festival_core::entity::{Datum, Field, Kind as FieldKind};
use festival_core::export::{Cell, Column, Format};
use festival_core::scanner::NOT_SCANNED;
use festival_core::site::Site;

/// The columns of an export and the sources of their cells.
#[derive(Default)]
pub(crate) struct Layout {
    pub(crate) columns: Vec<Column>,
    sources: Vec<Source>,
}

/// Returns the cell of a submission.
type Source = Box<dyn Fn(&Submission) -> Cell + Send + Sync>;

impl Layout {
    /// The layout of a format: JSON is read by programs, the others by people.
    pub(crate) fn of(kind: &'static SubmissionKind, format: Format, zone: &TimeZone) -> Self {
        match format {
            Format::Json => Self::for_programs(kind),
            Format::Csv | Format::Xlsx | Format::Ods => Self::for_people(kind, zone),
        }
    }

    /// For people: labels as headers and as values.
    fn for_people(kind: &'static SubmissionKind, zone: &TimeZone) -> Self {
        let mut layout = Self::default();
        let zone_name = zone.iana_name().unwrap_or("festival time");
        layout.add("reference", "Reference", 14, stored("reference"));
        layout.add("created_at", &format!("Submitted at ({zone_name})"), 20, time("created_at", zone));
        layout.add("status", "Status", 12, state("status", kind.states));
        layout.add("flags", "Flags", 24, |submission| Cell::text(flags(submission).join("; ")));
        if kind.has_award() {
            layout.add("award_category", "Award", 14, |film| Cell::text(capitalized(film.text("award_category"))));
            let origin = |film: &Submission| Cell::text(award_source_label(film.text("category_source")));
            layout.add("category_source", "Award found by", 18, origin);
        }
        for field in kind.entity.columns() {
            let value = sent_or(field, move |submission| cell(&with_label(field, submission.value(field.name))));
            layout.add(field.name, field.label, width(field), value);
            if let Some(suffix) = parsed_label(field) {
                let label = format!("{}, {suffix}", field.label);
                layout.add(&format!("{}_read", field.name), &label, width(field), parsed(field));
            }
        }
        layout.add("findings", "Unusual entries", 40, |submission| Cell::text(reasons(submission)));
        if kind.has_payment() {
            layout.add("fee_inr", "Fee on that day (rupees)", 12, stored("fee_inr"));
            layout.add("due", "Due", 14, |submission| Cell::text(submission.due().text()));
            layout.add("fee_reduction_reason", "Why the fee is reduced", 20, stored("fee_reduction_reason"));
            layout.add("payment", "Payment", 12, state("payment", PAYMENTS));
            layout.add("payment_code", "Payment code", 12, stored("payment_code"));
            layout.add("payment_utr", "UTR from the form", 18, stored("payment_utr"));
            layout.add("payment_reason", "Why it was rejected", 20, stored("payment_reason"));
            layout.add("payment_transaction", "Transaction on the proof", 20, stored("payment_transaction"));
            layout.add("payment_amount", "Amount on the proof", 20, stored("payment_amount"));
            let amount =
                |submission: &Submission| Amount::read(submission.text("payment_amount")).map(Amount::text).into();
            layout.add("amount_read", "Amount as read", 14, amount);
            let difference = |submission: &Submission| submission.amount_difference().map(Difference::text).into();
            layout.add("amount_differs", "Amount differs", 24, difference);
            layout.add("payment_receipt", "Receipt", 14, stored("payment_receipt"));
        }
        for field in kind.entity.fields.iter().filter(|field| !field.has_column()) {
            let label = short_label(field);
            layout.add_file(field, label, &format!("{label}, size in bytes"));
        }
        layout.add("consent_notice", "Agreed to the notice", 20, stored("consent_notice"));
        layout.add("consented_at", &format!("Agreed at ({zone_name})"), 20, time("consented_at", zone));
        layout
    }

    /// For programs: every column under its own name with its stored value.
    fn for_programs(kind: &'static SubmissionKind) -> Self {
        let mut layout = Self::default();
        for name in kind.columns() {
            match name {
                "findings" => layout.add(name, name, 20, |submission| Cell::text(reasons(submission))),
                _ => layout.add(name, name, 20, stored(name)),
            }
        }
        for field in kind.entity.columns() {
            let [read, sent] = ["read", "sent"].map(|suffix| format!("{}_{suffix}", field.name));
            if parsed_label(field).is_some() {
                layout.add(&read, &read, 20, parsed(field));
            } else if is_stored_parsed(field) {
                layout.add(&sent, &sent, 20, sent_or(field, stored(field.name)));
            }
        }
        for field in kind.entity.fields.iter().filter(|field| !field.has_column()) {
            layout.add_file(field, field.name, &format!("{}_size", field.name));
        }
        layout
    }

    fn add(
        &mut self,
        name: &str,
        title: &str,
        width: u16,
        source: impl Fn(&Submission) -> Cell + Send + Sync + 'static,
    ) {
        self.columns.push(Column::new(name, title).width(width));
        self.sources.push(Box::new(source));
    }

    /// Adds the path of a file in an archive, and its size in bytes.
    fn add_file(&mut self, field: &'static Field, label: &str, size: &str) {
        let file =
            move |submission: &Submission| submission.file(field).map(|file| submission.archive_path(file)).into();
        self.add(field.name, label, 30, file);
        let bytes = move |submission: &Submission| submission.file(field).map(|file| file.size).into();
        self.add(&format!("{}_size", field.name), size, 12, bytes);
    }

    /// Returns the cells of a submission.
    pub(crate) fn row(&self, submission: &Submission) -> Vec<Cell> {
        self.sources.iter().map(|source| source(submission)).collect()
    }
}

/// The stored value of a column.
fn stored(name: &'static str) -> impl Fn(&Submission) -> Cell + Send + Sync {
    move |submission| cell(submission.value(name))
}

/// The time in a column, in the festival's time zone.
fn time(name: &'static str, zone: &TimeZone) -> impl Fn(&Submission) -> Cell + Send + Sync + use<> {
    let zone = zone.clone();
    move |submission| {
        local_time(submission.text(name), &zone).map_or_else(|| cell(submission.value(name)), Cell::DateTime)
    }
}

/// The label of a status.
fn state(name: &'static str, states: &'static [State]) -> impl Fn(&Submission) -> Cell + Send + Sync {
    move |submission| Cell::text(label_of(states, submission.text(name)))
}

/// The value of a field as it was sent, if its column stores the parsed value, otherwise `stored`.
fn sent_or(
    field: &'static Field,
    stored: impl Fn(&Submission) -> Cell + Send + Sync,
) -> impl Fn(&Submission) -> Cell + Send + Sync {
    move |submission| match submission.finding(field).and_then(|finding| finding.sent) {
        Some(sent) => Cell::text(sent),
        None => stored(submission),
    }
}

/// The parsed value of a field, if its column stores the value as it was sent.
fn parsed(field: &'static Field) -> impl Fn(&Submission) -> Cell + Send + Sync {
    move |submission| match submission.finding(field) {
        Some(Finding { read: Some(read), .. }) => Cell::text(read),
        // Without a finding the stored value is the parsed one.
        None => cell(submission.value(field.name)),
        // It could not be parsed.
        Some(_) => Cell::Empty,
    }
}

fn cell(datum: &Datum) -> Cell {
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

/// Adds the files of a submission to an archive.
pub(crate) async fn add_files<W: Write + Seek + Send + 'static>(
    mut archive: PrivateArchive<W>,
    site: &Site,
    submission: &Submission,
) -> Result<PrivateArchive<W>> {
    let at = local_time(submission.text("created_at"), &site.time_zone).unwrap_or_default();
    for file in submission.files() {
        let (path, size, compress) = (submission.archive_path(file), Some(file.size), !file.mime.starts_with("image/"));
        let file = ArchivedFile { path: &path, key: &file.key, size, compress, at };
        archive = archive.add(site, file).await?;
    }
    Ok(archive)
}
